import { AppError } from '@lectern/service-kit';
import { createExtractiveModel } from '#builtin/extractive-model';
import type { ChatModel } from '#model/chat-model';
import { BUILTIN_MODEL_ID, KNOWN_MODELS } from '#registry/known-models';
import type { ModelInfo, ModelProvider } from '#registry/model-info';

/** What the operator set. A provider is offered when its settings are here. */
export interface ModelSettings {
  /** The model of requests that name none; must be one that is offered. */
  readonly defaultModel?: string;
}

/** The models of this installation. */
export interface Models {
  readonly default: ModelInfo;
  /** The model by its id. Throws AppError `invalid_request` that names the models there are. */
  get(id: string): ChatModel;
  list(): readonly ModelInfo[];
}

type ModelFactory = (info: ModelInfo) => ChatModel;

/**
 * Makes the models that the settings allow; nothing is called yet.
 * Throws AppError `invalid_request` when `defaultModel` is not among them.
 */
export function createModels(settings: ModelSettings = {}): Models {
  const factories = factoriesFor(settings);
  const offered = new Map<string, ChatModel>();
  for (const info of KNOWN_MODELS) {
    const create = factories[info.provider];
    if (create) offered.set(info.id, create(info));
  }
  const get = (id: string): ChatModel => {
    const model = offered.get(id);
    if (model) return model;
    const known = [...offered.keys()];
    throw new AppError('invalid_request', `Unknown model "${id}". Available models: ${known.join(', ')}.`, {
      details: { model: id, available: known },
    });
  };
  const infos = [...offered.values()].map((model) => model.info);
  return { default: get(settings.defaultModel ?? BUILTIN_MODEL_ID).info, get, list: () => infos };
}

/** One factory a provider; a provider without settings has none and its models are not offered. */
function factoriesFor(_settings: ModelSettings): Partial<Record<ModelProvider, ModelFactory>> {
  return { builtin: createExtractiveModel };
}
