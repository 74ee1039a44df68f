import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorCode } from '@lectern/contracts';
import { AppError, type Logger, toAppError } from '@lectern/service-kit';
import type { StreamEvent } from '#http/api-response';
import { requestIdOf } from '#http/envelope';
import type { StreamFormat } from '#http/stream-format';

const DEFAULT_PING_MS = 10_000;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Without `no-transform`, compressing proxies buffer events; without `X-Accel-Buffering`, nginx
  // does.
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

const RETRYABLE: readonly ErrorCode[] = ['unavailable', 'timeout', 'rate_limited', 'upstream_error'];

export interface StreamOptions {
  /** The event that ends the stream. */
  readonly terminal: string;
  /** Aborted when the stream must end because the gateway stops. */
  readonly stopping: AbortSignal;
  /**
   * Aborted when the stream must end because its key stopped working; the reason is an `AppError`.
   */
  readonly revoked?: AbortSignal | undefined;
  readonly log: Logger;
  /** The format of another protocol. */
  readonly format?: StreamFormat | undefined;
  /**
   * Milliseconds to wait for the first event before the headers are sent without it. A failure
   * after that is an `error` event. If omitted, the headers wait for the first event.
   */
  readonly waitMs?: number | undefined;
  /** Called when the headers are sent, and with the last event. */
  readonly onBegin?: () => void;
  readonly onEnd?: (last: StreamEvent) => void;
  /** Milliseconds between pings, 10,000 by default. */
  readonly pingMs?: number;
}

/** A budget that is used up allows no retry before the next month. */
const isRetryable = ({ code, details }: AppError) =>
  (code === 'cancelled' || RETRYABLE.includes(code)) && details?.budget === undefined;

const stopped = () => new AppError('unavailable', 'The service is restarting. Try again shortly.');

function errorEvent(response: ServerResponse, error: AppError): StreamEvent {
  const code = error.code === 'cancelled' ? 'unavailable' : error.code;
  const { message } = error.code === 'cancelled' ? stopped() : error;
  return {
    event: 'error',
    data: { code, message, retryable: isRetryable(error), requestId: requestIdOf(response) },
  };
}

function formatEvent({ event, data, id }: StreamEvent): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n${idLine}\n`;
}

/**
 * Sends Server-Sent Events. The headers wait for the first event (for `waitMs`, if given), so that
 * an early failure is a plain HTTP error (thrown). After that, exactly one event ends the stream:
 * the terminal one or `error`. If the client disconnects, the source is closed. A comment every
 * 10 s keeps proxies from closing an idle connection.
 */
export async function sendStream(
  response: ServerResponse,
  source: AsyncIterable<StreamEvent>,
  { terminal, stopping, revoked, log, format, onBegin, onEnd, waitMs, pingMs = DEFAULT_PING_MS }: StreamOptions,
): Promise<void> {
  const events = source[Symbol.asyncIterator]();
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const interrupted = Promise.withResolvers<never>();
  interrupted.promise.catch(() => undefined);
  const interrupt = () => interrupted.reject(stopped());
  stopping.addEventListener('abort', interrupt, { once: true });
  gone.signal.addEventListener('abort', interrupt, { once: true });
  if (stopping.aborted) interrupt();
  const revoke = () => interrupted.reject(revoked?.reason);
  revoked?.addEventListener('abort', revoke, { once: true });
  if (revoked?.aborted) revoke();
  const next = () => Promise.race([events.next(), interrupted.promise]);
  let ping: NodeJS.Timeout | undefined;
  try {
    const first = next();
    await (waitMs === undefined ? first : Promise.race([first, delay(waitMs, undefined, { ref: false })]));
    onBegin?.();
    response.writeHead(200, HEADERS);
    response.flushHeaders();
    ping = setInterval(() => response.writableNeedDrain || response.write(': ping\n\n'), pingMs);
    try {
      let result = await first;
      while (true) {
        if (result.done) throw new AppError('internal_error', 'The stream ended without its terminal event.');
        const text = (format?.event ?? formatEvent)(result.value);
        // False if the client reads more slowly than the server writes.
        if (text !== '' && !response.write(text) && !gone.signal.aborted) {
          await Promise.race([once(response, 'drain', { signal: gone.signal }), interrupted.promise]);
        }
        if (result.value.event === terminal) {
          onEnd?.(result.value);
          break;
        }
        result = await next();
      }
    } catch (thrown) {
      if (gone.signal.aborted) return;
      // The source is cancelled together with the key, and can report it first.
      const error = toAppError(revoked?.aborted ? revoked.reason : thrown);
      if (error.code === 'internal_error') log.error({ err: thrown }, 'stream failed');
      const last = errorEvent(response, error);
      onEnd?.(last);
      response.write(
        format?.error(error.code === 'cancelled' ? stopped() : error, requestIdOf(response)) ?? formatEvent(last),
      );
    }
    response.end();
  } finally {
    clearInterval(ping);
    stopping.removeEventListener('abort', interrupt);
    revoked?.removeEventListener('abort', revoke);
    // Closing the source can take time; do not wait for it.
    Promise.resolve(events.return?.()).catch(() => undefined);
  }
}
