import { backoffMs } from '@lectern/resilience';
import type { ChatModel } from '#model/chat-model';
import { infoForWindow, type ModelInfo } from '#model/model-info';
import { OPENAI_MODELS, type OpenAiModel } from '#openai/known-models';
import { hasNoList, isChatModel, listServerModels } from '#openai/list-server-models';
import { connectOpenAi, type OpenAiAccess } from '#openai/openai-client';
import { createOpenAiModel } from '#openai/openai-model';
import type { ModelCatalog } from '#provider/model-catalog';
import type { OpenAiSettings, RetrySettings } from '#provider/model-settings';
import { DEFAULT_RETRY } from '#provider/stream-with-retries';
import { loadTokenizer } from '#tokens/openai-tokenizer';
import { createTokenGauge } from '#tokens/token-gauge';

/** The window of unknown models: a common default of self-hosted servers. */
const DEFAULT_CONTEXT_WINDOW = 8_192;
/** Tokens per estimated token. Open models have smaller vocabularies than OpenAI's. */
const TOKENS_PER_ESTIMATE = 1.25;
/** Milliseconds for which a server's model list is cached. */
const LIST_FRESH_MS = 60_000;
/** The delay after a failed request: the first, and the longest. */
const LIST_BACKOFF = { minDelayMs: 1_000, maxDelayMs: 15_000 };

/**
 * Creates the models of an OpenAI-compatible server: those of OPENAI_MODELS, otherwise OpenAI's
 * known models at OpenAI, otherwise the server's list. The list is requested when first needed and
 * cached for a minute. For a server without a list, OpenAI's model names are used.
 */
export function createOpenAiModels(
  settings: OpenAiSettings,
  always: readonly string[],
  retry: Partial<RetrySettings> = {},
): ModelCatalog {
  const connect = connectOnce(settings);
  const createModel = createOpenAiModelFactory(settings, retry, connect);
  const models = new Map<string, Promise<ChatModel>>();
  const windows = new Map<string, number>();
  const knownIds = OPENAI_MODELS.map(({ info }) => info.id);
  const fixed = settings.models ?? (settings.baseUrl === undefined ? knownIds : undefined);
  let cached: { readonly at: number; readonly ids: Promise<readonly string[]> } | undefined;
  /** Failed list requests since the last success. */
  let failures = 0;
  let hasList = true;

  const requestList = async (): Promise<readonly string[]> => {
    const client = await connect();
    try {
      const listed = await listServerModels(client);
      hasList = true;
      for (const { id, contextWindow } of listed) if (contextWindow) windows.set(id, contextWindow);
      return listed.map(({ id }) => id);
    } catch (error) {
      if (hasNoList(error)) {
        hasList = false;
        return knownIds;
      }
      throw client.failureOf(error).error;
    }
  };
  const listedIds = async (): Promise<readonly string[]> => {
    if (fixed) return fixed;
    const age = cached === undefined ? Number.POSITIVE_INFINITY : performance.now() - cached.at;
    if (cached === undefined || age > (failures > 0 ? backoffMs(failures, LIST_BACKOFF) : LIST_FRESH_MS)) {
      cached = { at: performance.now(), ids: requestList() };
      cached.ids.then(
        () => {
          failures = 0;
        },
        () => {
          failures += 1;
        },
      );
    }
    return cached.ids;
  };
  const infoOf = (id: string) => openAiInfo(id, windows.get(id), settings.contextWindow);
  const ids = async () => [...new Set([...always, ...(await listedIds())])];
  return {
    known: always.map(infoOf),
    list: async () => (await ids()).map(infoOf),
    async first() {
      const offered = await listedIds();
      const id = offered.find(isChatModel) ?? offered[0];
      // Without a list, it is unknown which of OpenAI's models the server has.
      return id === undefined || (!hasList && settings.models === undefined) ? undefined : infoOf(id);
    },
    async find(id) {
      if (!always.includes(id) && !(await listedIds()).includes(id)) return undefined;
      const model = models.get(id) ?? createModel(infoOf(id));
      models.set(id, model);
      return model;
    },
  };
}

/** Returns a function that creates the client of a server at its first call. */
function connectOnce(settings: OpenAiSettings): () => Promise<OpenAiAccess> {
  let access: Promise<OpenAiAccess> | undefined;
  return () => (access ??= connectOpenAi(settings));
}

/** Returns a function that creates the models of a server, without calling it. They share its client. */
export function createOpenAiModelFactory(
  settings: OpenAiSettings,
  retry: Partial<RetrySettings>,
  connect = connectOnce(settings),
): (info: ModelInfo) => Promise<ChatModel> {
  return async (info) => {
    const known = knownModel(info.id);
    const atOpenAi = settings.baseUrl === undefined;
    const gauge = createTokenGauge({ initial: TOKENS_PER_ESTIMATE });
    return createOpenAiModel({
      info,
      dialect: {
        maxTokensField: atOpenAi || known?.reasons ? 'max_completion_tokens' : 'max_tokens',
        requestsUsage: true,
        toolsWithoutReasoning: known?.toolsWithoutReasoning ?? false,
      },
      ...(known
        ? { countTokens: await loadTokenizer(known.encoding) }
        : { countTokens: gauge.count, learn: gauge.learn }),
      retry: { ...DEFAULT_RETRY, ...retry },
      connect,
    });
  };
}

/** Returns the sizes of a model: OpenAI's for a known name, unless the server's window is smaller. */
export function openAiInfo(id: string, window: number | undefined, otherwise = DEFAULT_CONTEXT_WINDOW): ModelInfo {
  const known = knownModel(id);
  if (known && (window === undefined || window >= known.info.contextWindow)) return { ...known.info, id };
  return infoForWindow(id, 'openai', window ?? otherwise);
}

/** Returns the model of OpenAI with this name, or the model of a dated snapshot. */
function knownModel(id: string): OpenAiModel | undefined {
  const name = id.replace(/-\d{4}-\d{2}-\d{2}$/, '');
  return OPENAI_MODELS.find(({ info }) => info.id === name);
}
