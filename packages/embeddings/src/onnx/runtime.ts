import { createRequire } from 'node:module';
import { join } from 'node:path';
import { AppError } from '@lectern/service-kit';

const ONNX = 'onnxruntime-node';
const TOKENIZERS = '@huggingface/tokenizers';

/** The packages that run models. They are too large (290 MB) to install by default. */
export const RUNTIME_PACKAGES = { [ONNX]: '1.30.0', [TOKENIZERS]: '0.2.0' } as const;

/** Where `npm run models -- install` installs the packages, in the folder of the models. */
export const runtimeFolder = (modelsDir: string): string => join(modelsDir, 'runtime');

export interface Tensor {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number>;
}

/** The parts of `onnxruntime-node` that are used. */
export interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(inputs: Readonly<Record<string, Tensor>>, outputs: readonly string[]): Promise<Readonly<Record<string, Tensor>>>;
}

interface OnnxRuntime {
  readonly InferenceSession: {
    create(path: string, options: { readonly intraOpNumThreads: number }): Promise<Session>;
  };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor;
}

/** The parts of `@huggingface/tokenizers` that are used. */
export interface Tokenizer {
  encode(
    text: string,
    options: {
      readonly text_pair?: string | null;
      readonly add_special_tokens?: boolean;
      readonly return_token_type_ids?: boolean;
    },
  ): { readonly ids: readonly number[]; readonly token_type_ids?: readonly number[] };
}

export interface Runtime {
  readonly onnx: OnnxRuntime;
  readonly Tokenizer: new (tokenizer: object, config: object) => Tokenizer;
}

/** Resolvers for the folder of the models, then for the packages of Lectern. */
function resolvers(modelsDir: string | undefined): readonly NodeJS.Require[] {
  const own = createRequire(import.meta.url);
  return modelsDir === undefined ? [own] : [createRequire(join(runtimeFolder(modelsDir), 'package.json')), own];
}

/** Returns whether the packages are installed. */
export function isRuntimeInstalled(modelsDir: string | undefined): boolean {
  return resolvers(modelsDir).some((require) =>
    Object.keys(RUNTIME_PACKAGES).every((name) => canResolve(require, name)),
  );
}

function canResolve(require: NodeJS.Require, name: string): boolean {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Loads the packages.
 * @throws AppError `unavailable` with the command that installs them
 */
export function loadRuntime(modelsDir: string | undefined): Runtime {
  const require = resolvers(modelsDir).find((candidate) =>
    Object.keys(RUNTIME_PACKAGES).every((name) => canResolve(candidate, name)),
  );
  if (require === undefined) {
    const message = 'Local models need packages that are not installed. Run: npm run models -- install';
    throw new AppError('unavailable', message);
  }
  try {
    const [onnx, { Tokenizer }]: [OnnxRuntime, Pick<Runtime, 'Tokenizer'>] = [require(ONNX), require(TOKENIZERS)];
    return { onnx, Tokenizer };
  } catch (cause) {
    const message = 'The packages for local models could not be loaded. Run: npm run models -- install';
    throw new AppError('unavailable', message, { cause });
  }
}
