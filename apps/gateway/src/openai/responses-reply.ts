import type { ChatEvent, Completion, ToolCall, Usage } from '@lectern/contracts';
import type { StreamEvent } from '#http/api-response';
import type { StreamFormat } from '#http/stream-format';
import { openAiError } from '#openai/errors';
import { additions, type DocumentUrl, keyOf, type Reply, ReplyCollector, urlCitations } from '#openai/reply';
import { type Echo, echoSchema } from '#openai/responses-request';

/** What the events of one response have in common. */
export interface ResponseFrame {
  readonly echo: Echo;
  /** Seconds since 1970. */
  readonly created: number;
  readonly urlOf: DocumentUrl;
}

const responseId = (key: string) => `resp_${key}`;
const messageId = (key: string) => `msg_${key}`;
const callItemId = (key: string, at: number) => `fc_${key}_${at}`;

const usageOf = (usage: Usage | undefined) => ({
  input_tokens: usage?.promptTokens ?? 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: usage?.completionTokens ?? 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: usage?.totalTokens ?? 0,
});

const INCOMPLETE: Readonly<Record<string, string>> = { max_tokens: 'max_output_tokens', refused: 'content_filter' };

function statusOf({ calls, stopReason }: Reply) {
  const reason = calls.length > 0 ? undefined : INCOMPLETE[stopReason];
  return reason === undefined
    ? { status: 'completed', incomplete_details: null }
    : { status: 'incomplete', incomplete_details: { reason } };
}

const callItem = (key: string, at: number, call: ToolCall, status = 'completed') => ({
  id: callItemId(key, at),
  type: 'function_call',
  status,
  call_id: call.id,
  name: call.name,
  arguments: call.arguments,
});

const textPart = (text: string, annotations: readonly object[]) => ({
  type: 'output_text',
  text,
  annotations,
  logprobs: [],
});

const messageItem = (key: string, status: string, content: readonly object[]) => ({
  id: messageId(key),
  type: 'message',
  status,
  role: 'assistant',
  content,
});

const annotationsOf = (reply: Reply, urlOf: DocumentUrl) =>
  urlCitations(reply, urlOf).map((citation) => ({ type: 'url_citation', ...citation }));

/** A reply without text, for example one that only calls tools, has no message. */
const hasMessage = ({ content, calls }: Pick<Reply, 'content' | 'calls'>) => content !== '' || calls.length === 0;

function outputOf(reply: Reply, urlOf: DocumentUrl): readonly object[] {
  const { key, content, calls } = reply;
  const { status } = statusOf(reply);
  const message = messageItem(key, status, [textPart(content, annotationsOf(reply, urlOf))]);
  return [...(hasMessage(reply) ? [message] : []), ...calls.map((call, at) => callItem(key, at, call))];
}

const head = (key: string, { echo, created }: ResponseFrame) => ({
  id: responseId(key),
  object: 'response',
  created_at: created,
  background: false,
  error: null,
  reasoning: { effort: null, summary: null },
  truncation: 'disabled',
  ...echo,
});

/** A complete response. */
export function completeResponse(reply: Reply, frame: ResponseFrame) {
  return {
    ...head(reply.key, frame),
    ...statusOf(reply),
    output: outputOf(reply, frame.urlOf),
    usage: usageOf(reply.usage),
    ...additions(reply, frame.urlOf),
  };
}

/** A stored response. */
export function storedResponse(completion: Completion, urlOf: DocumentUrl) {
  const { id, details, createdAt, answerConfidence: confidence, ...stored } = completion;
  const reply = { ...stored, key: keyOf(id), confidence, documents: [] };
  const created = Math.floor((createdAt?.getTime() ?? 0) / 1000);
  return completeResponse(reply, { echo: echoSchema.parse(JSON.parse(details)), created, urlOf });
}

/** The event that ends a stream. It is not sent: the one before is the last in OpenAI's protocol. */
const DONE = 'done';

/** Creates the format of one stream. Each event has the next number. */
export function responseFormat(): StreamFormat {
  let next = 0;
  const write = (event: string, data: object) =>
    `event: ${event}\ndata: ${JSON.stringify({ type: event, sequence_number: next++, ...data })}\n\n`;
  return {
    event: ({ event, data }) => (event === DONE ? '' : write(event, data)),
    error: (error, requestId) => {
      const { code, message, param, ...more } = openAiError(error, requestId);
      // Clients read the error itself or its fields.
      return write('error', { code, message, param, error: { code, message, param, ...more } });
    },
  };
}

type Emit = (event: string, data: object) => StreamEvent;
const emit: Emit = (event, data) => ({ event, data });

function* callEvents(key: string, calls: readonly ToolCall[], firstIndex: number): Generator<StreamEvent> {
  for (const [at, call] of calls.entries()) {
    const place = { item_id: callItemId(key, at), output_index: firstIndex + at };
    const { output_index } = place;
    const started = callItem(key, at, { ...call, arguments: '' }, 'in_progress');
    yield emit('response.output_item.added', { output_index, item: started });
    yield emit('response.function_call_arguments.delta', { ...place, delta: call.arguments });
    yield emit('response.function_call_arguments.done', { ...place, name: call.name, arguments: call.arguments });
    yield emit('response.output_item.done', { output_index, item: callItem(key, at, call) });
  }
}

function* messageStart(key: string): Generator<StreamEvent> {
  yield emit('response.output_item.added', { output_index: 0, item: messageItem(key, 'in_progress', []) });
  const place = { item_id: messageId(key), output_index: 0, content_index: 0 };
  yield emit('response.content_part.added', { ...place, part: textPart('', []) });
}

function* messageEnd(reply: Reply, urlOf: DocumentUrl): Generator<StreamEvent> {
  const { key, content } = reply;
  const place = { item_id: messageId(key), output_index: 0, content_index: 0 };
  const annotations = annotationsOf(reply, urlOf);
  for (const [at, annotation] of annotations.entries()) {
    yield emit('response.output_text.annotation.added', { ...place, annotation_index: at, annotation });
  }
  const part = textPart(content, annotations);
  yield emit('response.output_text.done', { ...place, text: content, logprobs: [] });
  yield emit('response.content_part.done', { ...place, part });
  const item = messageItem(key, statusOf(reply).status, [part]);
  yield emit('response.output_item.done', { output_index: 0, item });
}

/** Converts the events of a reply. */
export async function* responseEvents(
  events: AsyncIterable<ChatEvent>,
  frame: ResponseFrame,
): AsyncGenerator<StreamEvent> {
  const collector = new ReplyCollector();
  let isWriting = false;
  for await (const received of events) {
    const reply = collector.add(received);
    const { key } = collector;
    const { event } = received;
    if (event?.$case === 'messageStart') {
      const started = { ...head(key, frame), status: 'in_progress', incomplete_details: null, output: [], usage: null };
      yield emit('response.created', { response: started });
      yield emit('response.in_progress', { response: started });
    }
    if (event?.$case === 'contentDelta') {
      if (!isWriting) yield* messageStart(key);
      isWriting = true;
      const place = { item_id: messageId(key), output_index: 0, content_index: 0 };
      yield emit('response.output_text.delta', { ...place, delta: event.value.delta, logprobs: [] });
    }
    if (reply === undefined) continue;
    if (!isWriting && hasMessage(reply)) {
      yield* messageStart(key);
      isWriting = true;
    }
    if (isWriting) yield* messageEnd(reply, frame.urlOf);
    yield* callEvents(key, reply.calls, isWriting ? 1 : 0);
    const response = completeResponse(reply, frame);
    yield emit(`response.${response.status}`, { response });
    yield emit(DONE, {});
    return;
  }
}
