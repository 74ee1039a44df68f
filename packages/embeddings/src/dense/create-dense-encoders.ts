import { createCache } from '@lectern/resilience';
import { AppError, ConfigError } from '@lectern/service-kit';
import { builtinProvider } from '#dense/builtin-provider';
import type { DenseEncoder } from '#dense/dense-encoder';
import type { DenseEncoderSettings } from '#dense/dense-provider';
import { createOnnxEncoder } from '#dense/onnx/create-onnx-encoder';
import { createRemoteEncoder } from '#dense/remote/create-remote-encoder';
import { openAiApi } from '#dense/remote/openai-api';
import { voyageApi } from '#dense/remote/voyage-api';
import { defaultThreads, isDownloaded, modelFolder } from '#onnx/local-models';
import { readWidth } from '#onnx/model-folder';
import { createModelThreads, type ModelThreads } from '#onnx/model-threads';

type Create = (settings: DenseEncoderSettings, modelThreads: ModelThreads) => DenseEncoder;

/**
 * The encoder of each provider. To add a provider, add one entry here and one file in `remote/`.
 */
const PROVIDERS: ReadonlyMap<string, Create> = new Map<string, Create>([
  ['openai', (settings) => createRemoteEncoder(openAiApi(settings), settings)],
  ['voyage', (settings) => createRemoteEncoder(voyageApi(settings), settings)],
  ['onnx', createOnnxEncoder],
]);

/** Providers that serve several models at one address. */
const MANY_MODELS: ReadonlySet<string> = new Set(['openai', 'voyage']);
/** The maximum number of such encoders to keep. Each caches the vectors of its last queries. */
const MAX_NAMED = 16;

/** A provider, a model's name, and optionally `@` and the number of dimensions. */
const NAMED = /^([a-z]+)\/([^@\s]{1,200})(?:@([1-9]\d{0,4}))?$/;

/** Throws `invalid_request` for more dimensions than a model has, before it is loaded. */
function checkWidth(name: string, dimensions: number, width: number | undefined): void {
  if (width === undefined || dimensions <= width) return;
  const message = `Unknown embedding model "${name}": the model has ${width} dimensions, not ${dimensions}.`;
  throw new AppError('invalid_request', message, { details: { name, width } });
}

/** All encoders of an installation: the builtin ones and those of the configured provider. */
export interface DenseEncoders {
  /**
   * Returns the encoder of a model by its full name, or of the configured model by its short name.
   * Without a name, returns the default encoder. Other models of the provider are named
   * `openai/large`, or `openai/large@256` for shorter vectors; only a call shows whether they exist.
   * Downloaded models are named `onnx/owner/name`, whatever the provider is.
   * Throws `invalid_request` for an unknown name.
   */
  get(model?: string): DenseEncoder;
}

/**
 * Creates the encoders without any request to the provider. Collections created under earlier
 * settings keep working while their model is among these encoders.
 * @throws ConfigError if the settings are invalid
 */
export function createDenseEncoders(settings: DenseEncoderSettings = {}): DenseEncoders {
  const { provider = 'builtin', model, modelsDir, threads = defaultThreads() } = settings;
  const modelThreads = createModelThreads({ modelsDir, threads });
  const encoders = new Map(builtinProvider.models.map((name) => [name, builtinProvider.create({ model: name })]));
  const known = [...encoders.keys()];
  const named = createCache<string, DenseEncoder>({ maxEntries: MAX_NAMED });
  let defaultModel: string = builtinProvider.models[0];
  if (provider === 'builtin') {
    if (model !== undefined && !encoders.has(model)) {
      throw new ConfigError([`EMBEDDING_MODEL: unknown builtin model ${model}. Known models: ${known.join(', ')}`]);
    }
    defaultModel = model ?? defaultModel;
  } else {
    const create = PROVIDERS.get(provider);
    if (!create) {
      throw new ConfigError([`EMBEDDING_PROVIDER: must be one of builtin, ${[...PROVIDERS.keys()].join(', ')}`]);
    }
    const encoder = create(settings, modelThreads);
    known.unshift(encoder.model);
    encoders.set(encoder.model, encoder);
    if (model !== undefined && !encoders.has(model)) encoders.set(model, encoder);
    defaultModel = encoder.model;
  }
  const createNamed = (name: string): DenseEncoder | undefined => {
    const [, from = '', other, digits] = NAMED.exec(name) ?? [];
    if (other === undefined) return undefined;
    const dimensions = digits === undefined ? undefined : Number(digits);
    if (from === 'onnx' && modelsDir !== undefined && isDownloaded(modelsDir, other)) {
      if (dimensions !== undefined) checkWidth(name, dimensions, readWidth(modelFolder(modelsDir, other)));
      // The other settings describe the configured model.
      return createOnnxEncoder({ modelsDir, threads, log: settings.log, model: other, dimensions }, modelThreads);
    }
    if (from !== provider || !MANY_MODELS.has(provider)) return undefined;
    return PROVIDERS.get(provider)?.({ ...settings, model: other, dimensions }, modelThreads);
  };
  const getNamed = (name: string): DenseEncoder | undefined => {
    const encoder = named.get(name) ?? createNamed(name);
    if (encoder !== undefined) named.set(name, encoder);
    return encoder;
  };
  return {
    get: (name = defaultModel) => {
      const encoder = encoders.get(name) ?? getNamed(name);
      if (encoder) return encoder;
      const message = `Unknown embedding model "${name}". Known models: ${known.join(', ')}.`;
      throw new AppError('invalid_request', message, { details: { name, known } });
    },
  };
}
