import { createDurations, timed, toAppError, withSpan } from '@lectern/service-kit';
import { z } from 'zod';
import type { QdrantRequest } from '#connection/requests';
import { createSend, type Endpoint, type HttpRequest, type Limits, type Send } from '#connection/send';
import { isLostConnection, isMissing, translateError } from '#connection/translate-error';

export interface CallOptions {
  /** Ends the call early; it then rejects with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

export interface ConnectionSettings {
  /** Address of Qdrant's REST port, a path included where a proxy serves it under one. */
  readonly url: string;
  readonly apiKey?: string | undefined;
  /** Longest time for a call that reads, default 10 s. */
  readonly timeoutMs?: number | undefined;
  /** Longest time for a call that writes, which waits until the write is applied; default 60 s. */
  readonly writeTimeoutMs?: number | undefined;
  /** Receives messages for the operator, one sentence each. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

export interface RequestOptions<Fallback> extends CallOptions {
  /** What to answer where the collection does not exist yet; without it that is an error. */
  readonly ifMissing?: () => Fallback;
}

/** Everything sent to Qdrant passes here: deadline, cancellation, span, one retry of a lost connection, errors as `AppError`. */
export interface QdrantConnection {
  read<Result, Fallback = never>(
    operation: string,
    request: QdrantRequest<Result>,
    options: RequestOptions<Fallback>,
  ): Promise<Result | Fallback>;
  /** As `read`, with the longer deadline. Every write of this package can be repeated without harm. */
  write<Result, Fallback = never>(
    operation: string,
    request: QdrantRequest<Result>,
    options: RequestOptions<Fallback>,
  ): Promise<Result | Fallback>;
  /** The server's version, for example `1.19.0`; undefined if a proxy responds instead. */
  version(options: CallOptions): Promise<string | undefined>;
  warn(message: string): void;
}

/** Qdrant's REST port, where the address names none. */
const DEFAULT_PORT = 6333;
const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_WRITE_TIMEOUT_MS = 60_000;

const durations = createDurations(
  'lectern_vector_store_duration_seconds',
  'Time of requests to the vector store by operation and outcome',
);

const measured = <T>(operation: string, work: () => Promise<T>): Promise<T> =>
  timed(durations, { operation }, work, (error) => toAppError(error).code);

/** Opens no connection by itself: an unreachable server shows at the first call. */
export function connectQdrant(settings: ConnectionSettings): QdrantConnection {
  const send = createSend(endpointOf(settings));
  const timeoutMs = settings.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const writeTimeoutMs = settings.writeTimeoutMs ?? DEFAULT_WRITE_TIMEOUT_MS;
  return {
    read: (operation, request, options) =>
      measured(operation, () => call(operation, send, request, timeoutMs, options)),
    write: (operation, request, options) =>
      measured(operation, () => call(operation, send, request, writeTimeoutMs, options)),
    warn: (message) => settings.onWarning?.(message),
    version: ({ signal }) => measured('version', () => readVersion(send, { timeoutMs, signal })),
  };
}

const greeting = z.object({ version: z.string() });

/** The root response is the only one without a `result`. */
async function readVersion(send: Send, limits: Limits): Promise<string | undefined> {
  try {
    return greeting.parse(JSON.parse(await sendTwice(send, { method: 'GET', path: '/' }, limits))).version;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw translateError(error, { cancelled: limits.signal?.aborted === true });
  }
}

function endpointOf({ url, apiKey }: ConnectionSettings): Endpoint {
  const { protocol, hostname, pathname } = new URL(url);
  // `URL` leaves out a port that is the scheme's own, and a written `:80` is not the same as none.
  const [, port = String(DEFAULT_PORT)] = /^https?:\/\/[^/]*:(\d+)(?:\/|$)/i.exec(url) ?? [];
  return {
    origin: `${protocol}//${hostname}:${port}`,
    prefix: pathname.replace(/\/+$/, ''),
    headers: apiKey === undefined ? {} : { 'api-key': apiKey },
  };
}

function call<Result, Fallback>(
  operation: string,
  send: Send,
  request: QdrantRequest<Result>,
  timeoutMs: number,
  { signal, ifMissing }: RequestOptions<Fallback>,
): Promise<Result | Fallback> {
  return withSpan(`qdrant ${operation}`, { 'db.system.name': 'qdrant', 'db.operation.name': operation }, async () => {
    try {
      const text = await sendTwice(send, request, { timeoutMs, signal });
      const { result }: { readonly result?: Result } = JSON.parse(text);
      if (result === undefined) throw new Error(`Qdrant answered ${operation} without a result`);
      return result;
    } catch (error) {
      if (ifMissing && isMissing(error)) return ifMissing();
      throw translateError(error, { cancelled: signal?.aborted === true });
    }
  });
}

/**
 * A kept-alive connection may be closed by the server just as it is used again; the second attempt opens a new one. Safe for every request of
 * this package.
 */
async function sendTwice(send: Send, request: HttpRequest, limits: Limits): Promise<string> {
  const started = performance.now();
  try {
    return await send(request, limits);
  } catch (error) {
    if (!isLostConnection(error)) throw error;
    return send(request, { ...limits, timeoutMs: Math.max(1, limits.timeoutMs - (performance.now() - started)) });
  }
}
