import { AppError } from '@lectern/service-kit';

/**
 * The parts of `@huggingface/transformers` that are used. The package is too large to install by
 * default.
 */
export interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
  pipeline(task: 'feature-extraction', model: string): Promise<FeatureExtractor>;
}

export type FeatureExtractor = (
  texts: readonly string[],
  options: { readonly pooling: 'mean' | 'cls'; readonly normalize: boolean },
) => Promise<{ readonly dims: readonly number[]; readonly data: Float32Array }>;

// A variable instead of a literal, so that the package is resolved only when it is used.
const PACKAGE: string = '@huggingface/transformers';

/**
 * Loads the package.
 * @throws AppError `unavailable` with the install command
 */
export async function loadTransformers(): Promise<Transformers> {
  try {
    return await import(PACKAGE);
  } catch (cause) {
    const message = `Local embedding models need a package that is not installed. Run: npm install ${PACKAGE}`;
    throw new AppError('unavailable', message, { cause });
  }
}
