import { createCache } from '@lectern/resilience';
import { AppError, ConfigError } from '@lectern/service-kit';
import { builtinProvider } from '#dense/builtin-provider';
import type { DenseEncoder } from '#dense/dense-encoder';
import type { DenseEncoderSettings } from '#dense/dense-provider';
import { createOnnxEncoder } from '#dense/onnx/create-onnx-encoder';
import { createRemoteEncoder } from '#dense/remote/create-remote-encoder';
import { openAiApi } from '#dense/remote/openai-api';
import { voyageApi } from '#dense/remote/voyage-api';

type Create = (settings: DenseEncoderSettings) => DenseEncoder;

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

/** A model's name, optionally followed by `@` and the number of dimensions. */
const NAMED = /^([^@\s]{1,150})(?:@([1-9]\d{0,4}))?$/;

/** All encoders of an installation: the builtin ones and those of the configured provider. */
export interface DenseEncoders {
  /**
   * Returns the encoder of a model by its full name, or of the configured model by its short name.
   * Without a name, returns the default encoder. Other models of the provider are named
   * `openai/large`, or `openai/large@256` for shorter vectors; only a call shows whether they exist.
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
  const { provider = 'builtin', model } = settings;
  const encoders = new Map(builtinProvider.models.map((name) => [name, builtinProvider.create({ model: name })]));
  const known = [...encoders.keys()];
  const named = createCache<string, DenseEncoder>({ maxEntries: MAX_NAMED });
  let defaultModel: string = builtinProvider.models[0];
  let createNamed: (name: string) => DenseEncoder | undefined = () => undefined;
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
    const encoder = create(settings);
    known.unshift(encoder.model);
    encoders.set(encoder.model, encoder);
    if (model !== undefined && !encoders.has(model)) encoders.set(model, encoder);
    defaultModel = encoder.model;
    if (MANY_MODELS.has(provider)) {
      createNamed = (name) => {
        const [, other, dimensions] =
          NAMED.exec(name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : '') ?? [];
        if (other === undefined) return undefined;
        return create({
          ...settings,
          model: other,
          dimensions: dimensions === undefined ? undefined : Number(dimensions),
        });
      };
    }
  }
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
