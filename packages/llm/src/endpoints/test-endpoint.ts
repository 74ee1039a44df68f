import { AppError, toAppError } from '@lectern/service-kit';
import { connectAnthropic } from '#anthropic/anthropic-client';
import {
  anthropicSettings,
  createEndpointModel,
  type EndpointAddress,
  type EndpointModel,
  type EndpointOptions,
  endpointInfo,
  openAiSettings,
} from '#endpoints/model-endpoint';
import { collectReply } from '#model/collect-reply';
import { hasNoList, type ListedModel, listServerModels } from '#openai/list-server-models';
import { connectOpenAi } from '#openai/openai-client';
import type { AnthropicSettings, OpenAiSettings } from '#provider/model-settings';
import type { ProviderFailure } from '#provider/provider-failure';

/** The models that a report lists at most. */
const MAX_LISTED = 200;
/** Longer names cannot be requested. */
const MAX_NAME = 200;
/** In tokens. Servers can report any number. */
const MAX_WINDOW = 10_000_000;
const LIST_MS = 10_000;
/** A server can need this long to load a model. */
const REPLY_MS = 60_000;
/** Enough for a word. Models that reason first end here, which is a reply too. */
const REPLY_TOKENS = 64;

/** What a test found out. */
export interface EndpointTest {
  /** The chat models that the endpoint lists. */
  readonly models: readonly EndpointModel[];
  /** Why there is no list. Some servers have none, which is no failure. */
  readonly listError: AppError | undefined;
  /** The model that was asked. Undefined if none is known. */
  readonly model: string | undefined;
  /** Why the model did not reply. */
  readonly error: AppError | undefined;
}

/**
 * Lists the models of an endpoint and asks one of them for a word: the given one, otherwise the first
 * of the list. Rejects only if `signal` aborts.
 */
export async function testEndpoint(
  address: EndpointAddress,
  apiKey: string | undefined,
  { model, ...options }: EndpointOptions & { readonly model: EndpointModel | undefined },
  signal: AbortSignal,
): Promise<EndpointTest> {
  const { models, listError } = await listModels(address, apiKey, options, signal);
  const asked = model ?? models[0];
  if (asked === undefined) return { models, listError, model: undefined, error: listError ?? noModel(address) };
  try {
    await askForWord(address, apiKey, asked, options, signal);
    return { models, listError, model: asked.id, error: undefined };
  } catch (error) {
    signal.throwIfAborted();
    return { models, listError, model: asked.id, error: toAppError(error) };
  }
}

const noModel = ({ name }: EndpointAddress) =>
  new AppError(
    'upstream_error',
    `The model endpoint “${name}” lists no chat model. Load one on the server, or enter the name of a model.`,
  );

/** The list of an endpoint, and the translation of the errors of its client. */
interface ModelList {
  read(signal: AbortSignal): Promise<readonly ListedModel[]>;
  failureOf(error: unknown): ProviderFailure;
}

async function openAiList(settings: OpenAiSettings): Promise<ModelList> {
  const access = await connectOpenAi(settings);
  return { read: (signal) => listServerModels(access, signal), failureOf: access.failureOf };
}

async function anthropicList(settings: AnthropicSettings): Promise<ModelList> {
  const { client, failureOf } = await connectAnthropic(settings);
  const read = async (signal: AbortSignal) => {
    const listed: ListedModel[] = [];
    for await (const { id } of client.models.list({ limit: 100 }, { signal })) {
      listed.push({ id });
      if (listed.length >= MAX_LISTED) break;
    }
    return listed;
  };
  return { read, failureOf };
}

/** Returns true for a name that an endpoint can offer. */
const isUsable = (id: unknown): id is string =>
  typeof id === 'string' && id.length <= MAX_NAME && id.trim() === id && id !== '' && !/\p{Cc}/u.test(id);

async function listModels(
  address: EndpointAddress,
  apiKey: string | undefined,
  options: EndpointOptions,
  signal: AbortSignal,
): Promise<Pick<EndpointTest, 'models' | 'listError'>> {
  const list = await (address.provider === 'anthropic'
    ? anthropicList(anthropicSettings(address, apiKey, options))
    : openAiList(openAiSettings(address, apiKey, options)));
  try {
    const listed = await list.read(AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]));
    const usable = listed.filter(({ id }) => isUsable(id)).slice(0, MAX_LISTED);
    const models = usable.map(({ id, contextWindow }) => ({
      id,
      contextWindow: Math.min(endpointInfo(address, { id, contextWindow }).contextWindow, MAX_WINDOW),
    }));
    return { models, listError: undefined };
  } catch (error) {
    signal.throwIfAborted();
    return { models: [], listError: hasNoList(error) ? noList(address) : list.failureOf(error).error };
  }
}

const noList = ({ name }: EndpointAddress) =>
  new AppError(
    'upstream_error',
    `The model endpoint “${name}” does not list its models. Check its address, or enter the names of its models.`,
  );

async function askForWord(
  address: EndpointAddress,
  apiKey: string | undefined,
  model: EndpointModel,
  options: EndpointOptions,
  signal: AbortSignal,
): Promise<void> {
  const retry = { attempts: 1, totalMs: REPLY_MS, idleMs: REPLY_MS };
  const chatModel = await createEndpointModel(address, apiKey, model, { ...options, retry });
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Reply with the word OK.' }] }];
  const deadline = AbortSignal.timeout(REPLY_MS);
  try {
    const request = { messages, sources: [], maxTokens: REPLY_TOKENS };
    await collectReply(chatModel.stream(request, { signal: AbortSignal.any([signal, deadline]) }));
  } catch (error) {
    if (!deadline.aborted || signal.aborted) throw error;
    throw new AppError('timeout', `The model ${model.id} did not reply within ${REPLY_MS / 1_000} s. Try again.`, {
      cause: error,
    });
  }
}
