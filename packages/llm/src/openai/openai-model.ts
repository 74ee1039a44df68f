import type { StopReason } from '@lectern/grounding';
import { type Citable, createCitationLedger, createReplyText } from '@lectern/grounding';
import type { ChatEvent } from '#model/chat-event';
import type { ChatModel, ChatRequest } from '#model/chat-model';
import { contentText } from '#openai/content-text';
import type { OpenAiAccess } from '#openai/openai-client';
import { type OpenAiDialect, otherDialect } from '#openai/openai-dialect';
import { cachedOf, type ReportedUsage, readUsage } from '#openai/openai-usage';
import type { FinishReason, ReplyChunk } from '#openai/reply-chunk';
import { CITING_TOKENS, toOpenAiRequest } from '#openai/to-openai-request';
import { createToolFragments } from '#openai/tool-fragments';
import { isEventStream, readWholeAnswer } from '#openai/whole-answer';
import { createThoughtFilter } from '#openai/without-thoughts';
import { brokenOff } from '#provider/provider-failure';
import { streamPatiently } from '#provider/stream-patiently';
import type { ModelInfo } from '#registry/model-info';
import type { ModelPatience } from '#registry/model-settings';
import { countPrompt, countReply } from '#tokens/count-reply';
import { promptTexts } from '#tokens/prompt-texts';

/** Milliseconds that a server may take for its usage figures once the reply has ended. */
const USAGE_WAIT_MS = 3_000;

const STOPS: Readonly<Record<FinishReason, StopReason>> = {
  stop: 'end',
  length: 'max_tokens',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'refused',
};

/** What a model of a server of Chat Completions is made of. */
export interface OpenAiModelParts {
  readonly info: ModelInfo;
  readonly dialect: OpenAiDialect;
  readonly countTokens: (text: string) => number;
  /** Told what a prompt took, where the server says. */
  readonly learn?: ((texts: readonly string[], promptTokens: number) => void) | undefined;
  readonly patience: ModelPatience;
  readonly connect: () => Promise<OpenAiAccess>;
}

/** A model behind Chat Completions. What a server refuses of the dialect is left out from then on. */
export function createOpenAiModel(parts: OpenAiModelParts): ChatModel {
  const { info, countTokens, patience, connect, learn } = parts;
  const spoken = { dialect: parts.dialect };
  return {
    id: info.id,
    info,
    countTokens,
    promptOverhead: CITING_TOKENS,
    async *stream(request, { signal }) {
      const access = await connect();
      const open = (callSignal: AbortSignal, alive: () => void) =>
        reply({ access, info, spoken, countTokens, learn }, request, callSignal, alive);
      yield* streamPatiently(open, access.failureOf, patience, signal);
    },
  };
}

interface ReplyDeps extends Pick<OpenAiModelParts, 'info' | 'countTokens' | 'learn'> {
  readonly access: OpenAiAccess;
  readonly spoken: { dialect: OpenAiDialect };
}

/** One try of a reply. */
async function* reply(
  deps: ReplyDeps,
  request: ChatRequest,
  signal: AbortSignal,
  alive: () => void,
): AsyncGenerator<ChatEvent> {
  const { chunks, stopWaiting, citables } = await begin(deps, request, signal);
  const text = createReplyText(
    request.ledger ?? createCitationLedger(),
    citables.length > 0 ? (number) => citables[number - 1] : 'keep',
  );
  const fragments = createToolFragments();
  const thoughts = createThoughtFilter();
  let finish: FinishReason | undefined;
  let refused = false;
  let reported: ReportedUsage = {};
  let patienceOver: NodeJS.Timeout | undefined;
  try {
    for await (const chunk of chunks) {
      alive();
      if (chunk.usage) reported = readUsage(chunk.usage);
      const choice = chunk.choices?.[0];
      if (choice === undefined) continue;
      const { delta } = choice;
      yield* text.say(thoughts.push(contentText(delta?.content)));
      const refusal = contentText(delta?.refusal);
      if (refusal !== '') {
        refused = true;
        yield* text.say(refusal);
      }
      for (const fragment of delta?.tool_calls ?? []) fragments.add(fragment);
      finish = choice.finish_reason ?? finish;
      if (finish) patienceOver ??= setTimeout(stopWaiting, USAGE_WAIT_MS);
    }
  } finally {
    clearTimeout(patienceOver);
  }
  if (finish === undefined) throw brokenOff(deps.access.name);
  yield* text.say(thoughts.end());
  yield* text.end();
  const found = fragments.calls();
  // Some servers end a reply that calls tools with `stop`. A call that the bound cut off is half a call.
  const reason = refused ? 'refused' : found.length > 0 && finish === 'stop' ? 'tool_calls' : (STOPS[finish] ?? 'end');
  const calls = reason === 'tool_calls' ? found : [];
  yield* calls;
  const said = text.text();
  const content = [...(said === '' ? [] : [{ type: 'text' as const, text: said }]), ...calls];
  if (reported.promptTokens !== undefined) deps.learn?.(promptTexts(request), reported.promptTokens);
  const usage = {
    promptTokens: reported.promptTokens ?? countPrompt(deps.countTokens, request),
    completionTokens: reported.completionTokens ?? countReply(deps.countTokens, said, calls),
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

interface BegunReply {
  readonly chunks: AsyncIterable<ReplyChunk> | readonly ReplyChunk[];
  readonly stopWaiting: () => void;
  readonly citables: readonly Citable[];
}

/** Sends the request; a field that the server refuses by name is left out, and the request sent again. */
async function begin(
  { access, info, spoken }: ReplyDeps,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<BegunReply> {
  for (;;) {
    const { params, citables } = toOpenAiRequest(info, request, spoken.dialect);
    try {
      const { data, response } = await access.client.chat.completions.create(params, { signal }).withResponse();
      const chunks = (await isEventStream(response)) ? data : [await readWholeAnswer(response, access.name)];
      return { chunks, stopWaiting: () => data.controller.abort(), citables };
    } catch (error) {
      const refusal = access.refusalOf(error);
      const other = refusal === undefined ? undefined : otherDialect(spoken.dialect, refusal);
      if (other === undefined) throw error;
      spoken.dialect = other;
    }
  }
}
