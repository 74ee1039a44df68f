import { AppError } from '@lectern/service-kit';

/** What is used of `@huggingface/transformers`, which is too heavy to be installed with Lectern for the few who want it. */
export interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
  pipeline(task: 'feature-extraction', model: string): Promise<FeatureExtractor>;
}

export type FeatureExtractor = (
  texts: readonly string[],
  options: { readonly pooling: 'mean' | 'cls'; readonly normalize: boolean },
) => Promise<{ readonly dims: readonly number[]; readonly data: Float32Array }>;

// Not a literal, so that it is looked for only when it is wanted.
const PACKAGE: string = '@huggingface/transformers';

/** Loads the package. @throws AppError `unavailable` that says what to install */
export async function loadTransformers(): Promise<Transformers> {
  try {
    return await import(PACKAGE);
  } catch (cause) {
    const message = `Encoding with a model of one's own needs a package that is not installed: npm install ${PACKAGE}.`;
    throw new AppError('unavailable', message, { cause });
  }
}
