import { LecternConnectionError, LecternError } from './errors.ts';
import { retryDelay, wait } from './retry.ts';
import { readEvents } from './sse.ts';
import type { Outgoing, Send } from './transport.ts';
import type { CallOptions } from './types.ts';

/** Tries in a row that bring no further event. */
const MAX_RESUMES = 5;

/** The service says something every 10 s, were it only that it is there. After this long the connection is dead. */
const MAX_SILENCE_MS = 45_000;

export interface StreamRoute {
  /** The event after which the stream has ended well. */
  readonly terminal: string;
  /** True where it can simply be asked for again. */
  readonly askAgain: boolean;
}

interface Received {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the type from the API's description
  readonly data: any;
  /** The place in the stream after it. */
  readonly id?: string;
}

function failure(data: Received['data']): LecternError {
  const { code, message, requestId } = data;
  return new LecternError({ code, message, status: 200, requestId });
}

/**
 * The events of a stream, to the one that ends it. An `error` event is thrown. A stream that breaks off is taken up after the last event
 * that named its place (`id`), or asked for again where that loses nothing; otherwise it throws.
 */
export async function* streamEvents(
  send: Send,
  outgoing: Outgoing,
  { terminal, askAgain }: StreamRoute,
  options: CallOptions,
): AsyncGenerator<Received> {
  const headers = { ...outgoing.headers, Accept: 'text/event-stream' };
  let place: string | undefined;
  for (let fruitless = 0; ; fruitless += 1) {
    let isOpen = false;
    try {
      const resumed = place === undefined ? {} : { 'Last-Event-ID': place };
      const repeatable = outgoing.repeatable || place !== undefined;
      const asked = { ...outgoing, headers: { ...headers, ...resumed }, repeatable };
      const body = await send(asked, options, async (response) => response.body);
      isOpen = true;
      if (body === null) throw new LecternConnectionError('The stream has no body.');
      const silence = { timeoutMs: MAX_SILENCE_MS, signal: options.signal };
      for await (const { event, data, id } of readEvents(body, silence)) {
        const received = { event, data: JSON.parse(data), ...(id === undefined ? {} : { id }) };
        if (event === 'error') throw failure(received.data);
        place = id;
        fruitless = 0;
        yield received;
        if (event === terminal) return;
      }
      throw new LecternConnectionError('The stream ended before its time.');
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      const known = error instanceof LecternError || error instanceof LecternConnectionError;
      // A mistake of the caller's.
      if (!known && !isOpen) throw error;
      const broken = known ? error : new LecternConnectionError('The stream broke off.', { cause: error });
      const mayResume = (place !== undefined || askAgain) && fruitless < MAX_RESUMES;
      const delayMs = mayResume ? retryDelay(broken, fruitless, true) : undefined;
      if (delayMs === undefined) throw broken;
      await wait(delayMs, options.signal);
    }
  }
}
