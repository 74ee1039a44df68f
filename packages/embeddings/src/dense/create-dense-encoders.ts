import { AppError, ConfigError } from '@lectern/service-kit';
import { builtinProvider } from '#dense/builtin-provider';
import type { DenseEncoder } from '#dense/dense-encoder';
import type { DenseEncoderSettings } from '#dense/dense-provider';
import { createOnnxEncoder } from '#dense/onnx/create-onnx-encoder';
import { createRemoteEncoder } from '#dense/remote/create-remote-encoder';
import { openAiApi } from '#dense/remote/openai-api';
import { voyageApi } from '#dense/remote/voyage-api';

type Create = (settings: DenseEncoderSettings) => DenseEncoder;

/** What makes the encoder of each provider. A provider is added by one entry here and one file beside the others. */
const PROVIDERS: ReadonlyMap<string, Create> = new Map<string, Create>([
  ['openai', (settings) => createRemoteEncoder(openAiApi(settings), settings)],
  ['voyage', (settings) => createRemoteEncoder(voyageApi(settings), settings)],
  ['onnx', createOnnxEncoder],
]);

/** Providers that serve several models at one address, under the names that they are asked by. */
const MANY_MODELS: ReadonlySet<string> = new Set(['openai', 'voyage']);
/** Encoders of models that were named so and are kept; each holds the vectors of its last queries. */
const MAX_NAMED = 16;

/** A model's own name, and after an `@` how long its vectors are. */
const NAMED = /^([^@\s]{1,150})(?:@([1-9]\d{0,4}))?$/;

/** Every encoder of an installation: the builtin ones, and those of the provider that the operator chose. */
export interface DenseEncoders {
  /**
   * The encoder of a model, by its full name or, for the configured one, by the model's own; the default one where none is named. The provider's other
   * models are named `openai/large`, or `openai/large@256` for shorter vectors; whether it has them, only a call tells. Throws `invalid_request` for
   * an unknown one.
   */
  get(model?: string): DenseEncoder;
}

/**
 * Makes the encoders that the settings name. Nothing is asked of a provider yet. Collections made under other settings keep working as long as their
 * model is among these.
 * @throws ConfigError for settings that cannot be used
 */
export function createDenseEncoders(settings: DenseEncoderSettings = {}): DenseEncoders {
  const { provider = 'builtin', model } = settings;
  const encoders = new Map(builtinProvider.models.map((name) => [name, builtinProvider.create({ model: name })]));
  const known = [...encoders.keys()];
  const named = new Map<string, DenseEncoder>();
  let defaultModel: string = builtinProvider.models[0];
  let createNamed: (name: string) => DenseEncoder | undefined = () => undefined;
  if (provider === 'builtin') {
    if (model !== undefined && !encoders.has(model)) {
      throw new ConfigError([`EMBEDDING_MODEL: no builtin model is named ${model}; known: ${known.join(', ')}`]);
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
    if (encoder === undefined) return undefined;
    // The last one used is the last to go.
    named.delete(name);
    named.set(name, encoder);
    for (const oldest of named.keys()) if (named.size > MAX_NAMED) named.delete(oldest);
    return encoder;
  };
  return {
    get: (name = defaultModel) => {
      const encoder = encoders.get(name) ?? getNamed(name);
      if (encoder) return encoder;
      const message = `There is no embedding model "${name}". Known: ${known.join(', ')}.`;
      throw new AppError('invalid_request', message, { details: { name, known } });
    },
  };
}
