import type { ChatModel } from '#model/chat-model';
import { chats, listServerModels } from '#openai/list-server-models';
import { connectOpenAi, type OpenAiAccess } from '#openai/openai-client';
import { createOpenAiModel } from '#openai/openai-model';
import { PATIENCE } from '#provider/stream-patiently';
import type { ModelCatalogue } from '#registry/model-catalogue';
import { infoForWindow } from '#registry/model-info';
import type { ModelPatience, OpenAiSettings } from '#registry/model-settings';
import { OPENAI_MODELS, type OpenAiModel } from '#registry/openai-models';
import { loadTokenizer } from '#tokens/openai-tokenizer';
import { createTokenGauge } from '#tokens/token-gauge';

/** The window of models that nothing says anything about: what servers on one's own machine commonly give them. */
export const DEFAULT_CONTEXT_WINDOW = 8_192;
/** Tokens of unknown models by our estimate: vocabularies of open models are smaller than OpenAI's. */
const TOKENS_PER_ESTIMATE = 1.25;
/** Milliseconds for which a server's model list is cached. */
const LIST_FRESH_MS = 60_000;
/** Milliseconds to wait after a failed request: the first pause, and the longest. */
const LIST_RETRY_MS = { first: 1_000, most: 15_000 };

/**
 * The models of a server of Chat Completions: those of OPENAI_MODELS, else OpenAI's own by name at OpenAI, else what the server lists. The list
 * is asked for when first needed and kept for a minute. A server that has no list is offered OpenAI's names.
 */
export function createOpenAiModels(
  settings: OpenAiSettings,
  always: readonly string[],
  patience: Partial<ModelPatience> = {},
): ModelCatalogue {
  let access: Promise<OpenAiAccess> | undefined;
  const connect = () => (access ??= connectOpenAi(settings));
  const models = new Map<string, Promise<ChatModel>>();
  const windows = new Map<string, number>();
  const named = OPENAI_MODELS.map(({ info }) => info.id);
  const fixed = settings.models ?? (settings.baseUrl === undefined ? named : undefined);
  let asked: { readonly at: number; readonly ids: Promise<readonly string[]> } | undefined;
  /** Failed list requests since the last success. */
  let failures = 0;
  let hasList = true;

  const askServer = async (): Promise<readonly string[]> => {
    const client = await connect();
    try {
      const listed = await listServerModels(client);
      hasList = true;
      for (const { id, contextWindow } of listed) if (contextWindow) windows.set(id, contextWindow);
      return listed.map(({ id }) => id);
    } catch (error) {
      const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
      if (status === 404 || status === 405 || status === 501) {
        hasList = false;
        return named;
      }
      throw client.failureOf(error).error;
    }
  };
  const listedIds = async (): Promise<readonly string[]> => {
    if (fixed) return fixed;
    const age = asked === undefined ? Number.POSITIVE_INFINITY : performance.now() - asked.at;
    const pause = Math.min(LIST_RETRY_MS.first * 2 ** (failures - 1), LIST_RETRY_MS.most);
    if (asked === undefined || age > (failures > 0 ? pause : LIST_FRESH_MS)) {
      asked = { at: performance.now(), ids: askServer() };
      asked.ids.then(
        () => {
          failures = 0;
        },
        () => {
          failures += 1;
        },
      );
    }
    return asked.ids;
  };
  const infoOf = (id: string) => {
    const known = knownModel(id);
    const window = windows.get(id);
    if (known && (window === undefined || window >= known.info.contextWindow)) return { ...known.info, id };
    return infoForWindow(id, 'openai', window ?? settings.contextWindow ?? DEFAULT_CONTEXT_WINDOW);
  };
  const create = async (id: string): Promise<ChatModel> => {
    const known = knownModel(id);
    const atOpenAi = settings.baseUrl === undefined;
    const gauge = createTokenGauge({ initial: TOKENS_PER_ESTIMATE });
    return createOpenAiModel({
      info: infoOf(id),
      dialect: {
        maxTokensField: atOpenAi || known?.reasons ? 'max_completion_tokens' : 'max_tokens',
        asksForUsage: true,
        toolsWithoutReasoning: known?.toolsWithoutReasoning ?? false,
      },
      ...(known
        ? { countTokens: await loadTokenizer(known.encoding) }
        : { countTokens: gauge.count, learn: gauge.learn }),
      patience: { ...PATIENCE, ...patience },
      connect,
    });
  };
  const ids = async () => [...new Set([...always, ...(await listedIds())])];
  return {
    known: always.map(infoOf),
    list: async () => (await ids()).map(infoOf),
    async first() {
      const offered = await listedIds();
      const id = offered.find(chats) ?? offered[0];
      // If the server has no list, OpenAI's model names are used; it is unknown which of them it
      // serves.
      return id === undefined || (!hasList && settings.models === undefined) ? undefined : infoOf(id);
    },
    async find(id) {
      if (!always.includes(id) && !(await listedIds()).includes(id)) return undefined;
      const made = models.get(id) ?? create(id);
      models.set(id, made);
      return made;
    },
  };
}

/** A model of OpenAI's by its name, or by the name of one of its dated snapshots. */
function knownModel(id: string): OpenAiModel | undefined {
  const name = id.replace(/-\d{4}-\d{2}-\d{2}$/, '');
  return OPENAI_MODELS.find(({ info }) => info.id === name);
}
