import { createError, LecternConnectionError, LecternError } from './errors.ts';
import { retryDelay, wait } from './retry.ts';
import { readEvents } from './sse.ts';
import type { Outgoing, Send } from './transport.ts';
import type { CallOptions } from './types.ts';

/** The maximum number of consecutive attempts that receive no event. */
const MAX_RESUMES = 5;

/** The server sends a heartbeat every 10 s, so a connection that is silent for this long is dead. */
const MAX_IDLE_MS = 45_000;

export interface StreamRoute {
  /** The last event of a complete stream. */
  readonly terminal: string;
  /** True if a broken stream can be requested again from the start. */
  readonly restartable: boolean;
}

interface ReceivedEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: callers get the type from the OpenAPI document
  readonly data: any;
  readonly id?: string;
}

function streamError(data: ReceivedEvent['data']): LecternError {
  const { code, message, requestId } = data;
  return createError({ code, message, status: 200, requestId });
}

/**
 * Yields the events of a stream up to its terminal event and throws the error of an `error` event.
 * A broken stream resumes after the last event that had an id, or restarts if that is safe.
 */
export async function* streamEvents(
  send: Send,
  outgoing: Outgoing,
  { terminal, restartable }: StreamRoute,
  options: CallOptions,
): AsyncGenerator<ReceivedEvent> {
  let lastId: string | undefined;
  for (let attempts = 0; ; attempts += 1) {
    let isOpen = false;
    try {
      const resume = lastId === undefined ? {} : { 'Last-Event-ID': lastId };
      const headers = { ...outgoing.headers, Accept: 'text/event-stream', ...resume };
      const request = { ...outgoing, headers, repeatable: outgoing.repeatable || lastId !== undefined };
      const body = await send(request, options, async (response) => response.body);
      isOpen = true;
      if (body === null) throw new LecternConnectionError('The stream has no body.');
      for await (const { event, data, id } of readEvents(body, { timeoutMs: MAX_IDLE_MS, signal: options.signal })) {
        const received = { event, data: JSON.parse(data), ...(id === undefined ? {} : { id }) };
        if (event === 'error') throw streamError(received.data);
        lastId = id;
        attempts = 0;
        yield received;
        if (event === terminal) return;
      }
      throw new LecternConnectionError('The stream ended early.');
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      const isKnown = error instanceof LecternError || error instanceof LecternConnectionError;
      // An invalid argument, not a network failure.
      if (!isKnown && !isOpen) throw error;
      const failure = isKnown ? error : new LecternConnectionError('The stream was interrupted.', { cause: error });
      const canResume = (lastId !== undefined || restartable) && attempts < MAX_RESUMES;
      const delayMs = canResume ? retryDelay(failure, attempts, true) : undefined;
      if (delayMs === undefined) throw failure;
      await wait(delayMs, options.signal);
    }
  }
}
