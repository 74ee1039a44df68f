import type { ChatEvent, Usage } from '@lectern/contracts';
import type { StreamEvent } from '#http/api-response';
import type { StreamFormat } from '#http/stream-format';
import { openAiError } from '#openai/errors';
import { additions, type DocumentUrl, type Reply, ReplyCollector, urlCitations } from '#openai/reply';

/** What the responses of one request have in common. */
export interface ChatFrame {
  /** The requested model. */
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly urlOf: DocumentUrl;
}

const FINISH: Readonly<Record<string, string>> = {
  max_tokens: 'length',
  tool_calls: 'tool_calls',
  refused: 'content_filter',
};

const finishReason = ({ calls, stopReason }: Reply): string =>
  calls.length > 0 ? 'tool_calls' : (FINISH[stopReason] ?? 'stop');

const usageOf = (usage: Usage | undefined) => ({
  prompt_tokens: usage?.promptTokens ?? 0,
  completion_tokens: usage?.completionTokens ?? 0,
  total_tokens: usage?.totalTokens ?? 0,
});

const idOf = (key: string) => `chatcmpl-${key}`;

const annotationsOf = (reply: Reply, urlOf: DocumentUrl) =>
  urlCitations(reply, urlOf).map((citation) => ({ type: 'url_citation', url_citation: citation }));

const callsOf = ({ calls }: Reply) =>
  calls.map(({ id, name, arguments: json }) => ({ id, type: 'function', function: { name, arguments: json } }));

/** A complete chat completion. */
export function chatCompletion(reply: Reply, { model, created, urlOf }: ChatFrame) {
  const { key, content, calls, usage } = reply;
  const message = {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    refusal: null,
    annotations: annotationsOf(reply, urlOf),
    ...(calls.length > 0 ? { tool_calls: callsOf(reply) } : {}),
  };
  return {
    id: idOf(key),
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(reply) }],
    usage: usageOf(usage),
    ...additions(reply, urlOf),
  };
}

const CHUNK = 'chunk';
/** The event that ends a stream. */
export const DONE = 'done';

/** The lines of a stream: only data, and `[DONE]` at the end. */
export const chatFormat: StreamFormat = {
  event: ({ event, data }) => `data: ${event === DONE ? '[DONE]' : JSON.stringify(data)}\n\n`,
  error: (error, requestId) => `data: ${JSON.stringify({ error: openAiError(error, requestId) })}\n\ndata: [DONE]\n\n`,
};

/** Converts the events of a reply to chunks. */
export async function* chatChunks(
  events: AsyncIterable<ChatEvent>,
  { model, created, urlOf }: ChatFrame,
  includeUsage: boolean,
): AsyncGenerator<StreamEvent> {
  const collector = new ReplyCollector();
  const chunk = (choices: readonly object[], more: object = {}): StreamEvent => {
    const usage = includeUsage ? { usage: null } : {};
    const head = { id: idOf(collector.key), object: 'chat.completion.chunk', created, model };
    return { event: CHUNK, data: { ...head, choices, ...usage, ...more } };
  };
  const choice = (delta: object, finish: string | null = null) => [
    { index: 0, delta, logprobs: null, finish_reason: finish },
  ];
  for await (const received of events) {
    const reply = collector.add(received);
    const { event } = received;
    if (event?.$case === 'messageStart') yield chunk(choice({ role: 'assistant', content: '' }));
    if (event?.$case === 'contentDelta') yield chunk(choice({ content: event.value.delta }));
    if (event?.$case === 'toolCalls') {
      for (const [index, { id, name, arguments: json }] of event.value.calls.entries()) {
        const call = { index, id, type: 'function', function: { name, arguments: '' } };
        yield chunk(choice({ tool_calls: [call] }));
        yield chunk(choice({ tool_calls: [{ index, function: { arguments: json } }] }));
      }
    }
    if (reply === undefined) continue;
    const annotations = annotationsOf(reply, urlOf);
    if (annotations.length > 0) yield chunk(choice({ annotations }));
    yield chunk(choice({}, finishReason(reply)), additions(reply, urlOf));
    if (includeUsage) yield chunk([], { usage: usageOf(reply.usage) });
    yield { event: DONE, data: {} };
    return;
  }
}
