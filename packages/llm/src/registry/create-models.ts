import { AppError, invalidRequest } from '@lectern/service-kit';
import { createExtractiveModel } from '#builtin/extractive-model';
import type { ChatModel } from '#model/chat-model';
import { BUILTIN_MODEL } from '#registry/known-models';
import type { ModelSettings } from '#registry/model-settings';
import type { Models } from '#registry/models';

/**
 * Makes the models that the settings allow; nothing is called yet.
 * Throws AppError `invalid_request` when `defaultModel` is not among them.
 */
export function createModels(settings: ModelSettings = {}): Models {
  const offered = new Map<string, ChatModel>([[BUILTIN_MODEL.id, createExtractiveModel(BUILTIN_MODEL)]]);
  const find = (id: string): ChatModel => {
    const model = offered.get(id);
    if (model) return model;
    const known = [...offered.keys()];
    const message = `is unknown: "${id}". Available models: ${known.join(', ')}`;
    const { message: text, details } = invalidRequest([{ path: 'model', message }]);
    throw new AppError('invalid_request', text, { details: { ...details, available: known } });
  };
  const fallback = find(settings.defaultModel ?? BUILTIN_MODEL.id).info;
  return {
    default: fallback,
    get: async (id = fallback.id) => find(id),
    list: async () => [...offered.values()].map(({ info }) => info),
  };
}
