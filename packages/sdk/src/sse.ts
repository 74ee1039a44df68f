import { createParser } from 'eventsource-parser';
import { type Deadline, withDeadline } from './deadline.ts';
import { LecternConnectionError } from './errors.ts';

/** The maximum length of an incomplete event in characters. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024;

/** A server-sent event. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
  /** The last event id of the stream so far. */
  readonly id: string | undefined;
}

/**
 * Yields the events of a stream. `idle` limits the time without any bytes; comments count as bytes.
 * Throws `LecternConnectionError` if the stream is idle for too long or an event is too large.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  idle: Deadline = {},
): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const cancel = () => reader.cancel().catch(() => undefined);
  // Cancels immediately, even if the caller is not reading at the moment.
  idle.signal?.addEventListener('abort', cancel, { once: true });
  const decoder = new TextDecoder();
  let received: ServerSentEvent[] = [];
  let isTooLarge = false;
  let endsWithCr = false;
  let lastId: string | undefined;
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ event = 'message', data, id }) => {
      lastId = id ?? lastId;
      received.push({ event, data, id: lastId });
    },
    onError: ({ type }) => {
      isTooLarge ||= type === 'max-buffer-size-exceeded';
    },
  });
  try {
    while (true) {
      const { done, value } = await withDeadline(idle, () => reader.read());
      // The parser waits after a CR, because an LF could follow.
      if (done && endsWithCr) parser.feed('\n');
      const text = done ? '' : decoder.decode(value, { stream: true });
      parser.feed(text);
      if (text !== '') endsWithCr = text.endsWith('\r');
      yield* received;
      if (done) return;
      received = [];
      if (isTooLarge) throw new LecternConnectionError(`An event exceeds ${MAX_EVENT_LENGTH} characters.`);
    }
  } finally {
    idle.signal?.removeEventListener('abort', cancel);
    await cancel();
  }
}
