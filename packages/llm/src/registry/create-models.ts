import { AppError, invalidRequest } from '@lectern/service-kit';
import { createAnthropicModels } from '#anthropic/anthropic-models';
import { DEFAULT_ANTHROPIC_MODEL } from '#anthropic/known-models';
import type { ChatModel } from '#model/chat-model';
import type { ModelInfo } from '#model/model-info';
import { createOpenAiModels } from '#openai/openai-models';
import type { ModelCatalog } from '#provider/model-catalog';
import type { ModelSettings } from '#provider/model-settings';
import { countUsage } from '#registry/count-usage';
import type { Models } from '#registry/models';

/**
 * Creates the models that the settings allow, without calling any provider. `builtin` needs no
 * provider, and is the default if none is configured. A `defaultModel` that no list contains belongs
 * to Anthropic if its name starts with `claude-`, otherwise to the OpenAI-compatible server.
 * Throws AppError `invalid_request` if the provider of `defaultModel` is not configured.
 */
export function createModels(builtin: ChatModel, settings: ModelSettings = {}): Models {
  const catalogs = catalogsFor(builtin, settings);
  const defaultId = settings.defaultModel ?? (settings.anthropic ? DEFAULT_ANTHROPIC_MODEL : builtin.id);
  const known = catalogs.flatMap((catalog) => catalog.known);
  const configured = known.find(({ id }) => id === defaultId);
  if (configured === undefined) throw unknownModel('CHAT_MODEL', defaultId, known);
  const server = catalogs.find(({ first }) => first !== undefined);
  const defaultInfo = async (): Promise<ModelInfo> => {
    if (!usesServersFirst(settings)) return configured;
    const first = await server?.first?.();
    if (first === undefined) throw noModelListed();
    return first;
  };
  const listEach = () => Promise.allSettled(catalogs.map((catalog) => catalog.list()));
  const list = async (): Promise<readonly ModelInfo[]> => {
    const lists = await listEach();
    return lists.flatMap((listed, at) => (listed.status === 'fulfilled' ? listed.value : (catalogs[at]?.known ?? [])));
  };
  return {
    default: defaultInfo,
    list,
    async get(named) {
      const id = named ?? (await defaultInfo()).id;
      for (const catalog of catalogs) {
        const model = await catalog.find(id);
        if (model) return countUsage(model);
      }
      throw unknownModel('model', id, await list());
    },
  };
}

/**
 * Returns true if the server's first model is the default: a base URL is set, but no model. A key
 * alone can be meant for embeddings.
 */
const usesServersFirst = ({ defaultModel, anthropic, openai }: ModelSettings): boolean =>
  defaultModel === undefined && anthropic === undefined && openai?.baseUrl !== undefined;

const noModelListed = () =>
  new AppError(
    'upstream_error',
    'The model server (OPENAI_BASE_URL) lists no chat model. Load one on the server, or set CHAT_MODEL.',
  );

function catalogsFor(builtin: ChatModel, settings: ModelSettings): ModelCatalog[] {
  const { anthropic, openai, defaultModel, retry } = settings;
  const isClaude = defaultModel?.startsWith('claude-') ?? false;
  const named = defaultModel === undefined || defaultModel === builtin.id ? [] : [defaultModel];
  const forAnthropic = anthropic !== undefined && isClaude;
  return [
    ...(anthropic ? [createAnthropicModels(anthropic, forAnthropic ? named : [], retry)] : []),
    onlyModel(builtin),
    ...(openai ? [createOpenAiModels(openai, forAnthropic ? [] : named, retry)] : []),
  ];
}

function onlyModel(model: ChatModel): ModelCatalog {
  return {
    known: [model.info],
    list: async () => [model.info],
    find: async (id) => (id === model.id ? model : undefined),
  };
}

/** Returns the error for a model that is not offered. */
export function unknownModel(path: string, id: string, offered: readonly Pick<ModelInfo, 'id'>[]): AppError {
  const available = offered.map((info) => info.id);
  const known = `Available models: ${available.join(', ')}`;
  const { message, details } = invalidRequest([{ path, message: `is unknown: "${id}". ${known}` }]);
  return new AppError('invalid_request', message, { details: { ...details, available } });
}
