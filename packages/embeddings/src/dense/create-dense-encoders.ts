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

/** Every encoder of an installation: the builtin ones, and that of the provider that the operator chose. */
export interface DenseEncoders {
  /** The encoder of a model, by its full name or, for a provider's, by the model's own; the default one where none is named. Throws `invalid_request` for an unknown one. */
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
  let defaultModel: string = builtinProvider.models[0];
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
  }
  return {
    get: (name = defaultModel) => {
      const encoder = encoders.get(name);
      if (encoder) return encoder;
      const message = `There is no embedding model "${name}". Known: ${known.join(', ')}.`;
      throw new AppError('invalid_request', message, { details: { name, known } });
    },
  };
}
