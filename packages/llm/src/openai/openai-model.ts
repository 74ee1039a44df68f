import type { StopReason } from '@lectern/grounding';
import { type Citable, createCitationLedger, createReplyText } from '@lectern/grounding';
import type { ChatEvent } from '#model/chat-event';
import type { ChatModel, ChatRequest } from '#model/chat-model';
import type { ModelInfo } from '#model/model-info';
import { isEventStream, readCompleteResponse } from '#openai/complete-response';
import { contentText } from '#openai/content-text';
import type { OpenAiAccess } from '#openai/openai-client';
import { fallbackDialect, type OpenAiDialect } from '#openai/openai-dialect';
import { cachedOf, type ReportedUsage, readUsage } from '#openai/openai-usage';
import type { FinishReason, ReplyChunk } from '#openai/reply-chunk';
import { createThinkingFilter } from '#openai/thinking-filter';
import { CITING_TOKENS, toOpenAiRequest } from '#openai/to-openai-request';
import { createToolFragments } from '#openai/tool-call-fragments';
import type { RetrySettings } from '#provider/model-settings';
import { interruptedReply } from '#provider/provider-failure';
import { streamWithRetries } from '#provider/stream-with-retries';
import { countPrompt, countReply } from '#tokens/count-reply';
import { promptTexts } from '#tokens/prompt-texts';

/** How long to wait for usage after the reply has ended. */
const USAGE_WAIT_MS = 3_000;

const STOPS: Readonly<Record<FinishReason, StopReason>> = {
  stop: 'end',
  length: 'max_tokens',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'refused',
};

/** The parts of a model on an OpenAI-compatible server. */
export interface OpenAiModelParts {
  readonly info: ModelInfo;
  readonly dialect: OpenAiDialect;
  readonly countTokens: (text: string) => number;
  /** Called with the tokens of each prompt, if the server reports them. */
  readonly learn?: ((texts: readonly string[], promptTokens: number) => void) | undefined;
  readonly retry: RetrySettings;
  readonly connect: () => Promise<OpenAiAccess>;
}

/**
 * Creates a model on an OpenAI-compatible server. A field that the server rejects is not sent
 * again.
 */
export function createOpenAiModel(parts: OpenAiModelParts): ChatModel {
  const { info, countTokens, retry, connect, learn } = parts;
  const current = { dialect: parts.dialect };
  return {
    id: info.id,
    info,
    countTokens,
    promptOverhead: CITING_TOKENS,
    async *stream(request, { signal }) {
      const access = await connect();
      const open = (callSignal: AbortSignal, onActivity: () => void) =>
        reply({ access, info, current, countTokens, learn }, request, callSignal, onActivity);
      yield* streamWithRetries(open, access.failureOf, retry, signal);
    },
  };
}

interface ReplyDeps extends Pick<OpenAiModelParts, 'info' | 'countTokens' | 'learn'> {
  readonly access: OpenAiAccess;
  readonly current: { dialect: OpenAiDialect };
}

/** Makes one attempt at a reply. */
async function* reply(
  deps: ReplyDeps,
  request: ChatRequest,
  signal: AbortSignal,
  onActivity: () => void,
): AsyncGenerator<ChatEvent> {
  const { chunks, stopWaiting, citables } = await start(deps, request, signal);
  const text = createReplyText(
    request.ledger ?? createCitationLedger(),
    citables.length > 0 && request.format === undefined ? (number) => citables[number - 1] : 'keep',
  );
  const fragments = createToolFragments();
  const thinking = createThinkingFilter();
  let finish: FinishReason | undefined;
  let isRefused = false;
  let reported: ReportedUsage = {};
  let usageTimer: NodeJS.Timeout | undefined;
  try {
    for await (const chunk of chunks) {
      onActivity();
      if (chunk.usage) reported = readUsage(chunk.usage);
      const choice = chunk.choices?.[0];
      if (choice === undefined) continue;
      const { delta } = choice;
      yield* text.write(thinking.push(contentText(delta?.content)));
      const refusal = contentText(delta?.refusal);
      if (refusal !== '') {
        isRefused = true;
        yield* text.write(refusal);
      }
      for (const fragment of delta?.tool_calls ?? []) fragments.add(fragment);
      finish = choice.finish_reason ?? finish;
      if (finish) usageTimer ??= setTimeout(stopWaiting, USAGE_WAIT_MS);
    }
  } finally {
    clearTimeout(usageTimer);
  }
  if (finish === undefined) throw interruptedReply(deps.access.name);
  yield* text.write(thinking.end());
  yield* text.end();
  const found = fragments.calls();
  // Some servers end a reply with tool calls with `stop`. A call that was cut off is incomplete.
  const reason = isRefused
    ? 'refused'
    : found.length > 0 && finish === 'stop'
      ? 'tool_calls'
      : (STOPS[finish] ?? 'end');
  const calls = reason === 'tool_calls' ? found : [];
  yield* calls;
  const replyText = text.text();
  const content = [...(replyText === '' ? [] : [{ type: 'text' as const, text: replyText }]), ...calls];
  if (reported.promptTokens !== undefined) deps.learn?.(promptTexts(request), reported.promptTokens);
  const usage = {
    promptTokens: reported.promptTokens ?? countPrompt(deps.countTokens, request),
    completionTokens: reported.completionTokens ?? countReply(deps.countTokens, replyText, calls),
  };
  const cached = cachedOf(reported, usage.promptTokens);
  yield {
    type: 'end',
    stopReason: reason,
    usage,
    ...(cached ? { cached } : {}),
    message: { role: 'assistant', content },
  };
}

interface StartedReply {
  readonly chunks: AsyncIterable<ReplyChunk> | readonly ReplyChunk[];
  readonly stopWaiting: () => void;
  readonly citables: readonly Citable[];
}

/** Sends the request, and sends it again without a field that the server rejects by name. */
async function start(
  { access, info, current }: ReplyDeps,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<StartedReply> {
  for (;;) {
    const { params, citables } = toOpenAiRequest(info, request, current.dialect);
    try {
      const { data, response } = await access.client.chat.completions.create(params, { signal }).withResponse();
      const chunks = (await isEventStream(response)) ? data : [await readCompleteResponse(response, access.name)];
      return { chunks, stopWaiting: () => data.controller.abort(), citables };
    } catch (error) {
      const rejection = access.rejectionOf(error);
      const fallback = rejection === undefined ? undefined : fallbackDialect(current.dialect, rejection);
      if (fallback === undefined) throw error;
      current.dialect = fallback;
    }
  }
}
