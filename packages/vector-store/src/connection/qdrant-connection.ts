import { retry } from '@lectern/resilience';
import { createDurations, timed, toAppError, withSpan } from '@lectern/service-kit';
import { z } from 'zod';
import { REQUESTS } from '#connection/requests';
import { type ClientCall, createSend, type QdrantRequest, type Send } from '#connection/send';
import { isLostConnection, isMissing, TimedOut, translateError } from '#connection/translate-error';

export interface CallOptions {
  /** Aborting it rejects the call with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

export interface ConnectionSettings {
  /** Address of Qdrant's REST port; with a path if a proxy serves Qdrant under one. */
  readonly url: string;
  readonly apiKey?: string | undefined;
  /** Deadline of a read, default 10 s. */
  readonly timeoutMs?: number | undefined;
  /** Deadline of a write, which returns when it is applied; default 60 s. */
  readonly writeTimeoutMs?: number | undefined;
  /** Receives messages for the operator, one sentence each. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

interface RequestOptions<Fallback> extends CallOptions {
  /**
   * Returns the result if the collection does not exist yet. Without it, a missing collection is an
   * error.
   */
  readonly ifMissing?: () => Fallback;
}

/**
 * Sends every request to Qdrant, with a deadline, cancellation, a span, a duration metric and one
 * retry of a lost connection. Errors are `AppError`.
 */
export interface QdrantConnection {
  read<Result, Fallback = never>(
    operation: string,
    request: QdrantRequest<Result>,
    options: RequestOptions<Fallback>,
  ): Promise<Result | Fallback>;
  /** Like `read`, with the longer deadline. Every write of this package is idempotent. */
  write<Result, Fallback = never>(
    operation: string,
    request: QdrantRequest<Result>,
    options: RequestOptions<Fallback>,
  ): Promise<Result | Fallback>;
  /** The server's version, for example `1.19.0`; undefined if a proxy responds instead. */
  version(options: CallOptions): Promise<string | undefined>;
  warn(message: string): void;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_WRITE_TIMEOUT_MS = 60_000;

/**
 * The server may close a kept-alive connection just as it is used again; the second attempt opens a
 * new one.
 */
const RETRY_ONCE = { attempts: 2, minDelayMs: 0, maxDelayMs: 0, shouldRetry: isLostConnection };

const durations = createDurations(
  'lectern_vector_store_duration_seconds',
  'Time of requests to the vector store by operation and outcome',
);

const measured = <T>(operation: string, work: () => Promise<T>): Promise<T> =>
  timed(durations, { operation }, work, (error) => toAppError(error).code);

/** Creates a connection lazily: the first call fails if the server is unreachable. */
export function connectQdrant(settings: ConnectionSettings): QdrantConnection {
  const send = createSend(settings);
  const timeoutMs = settings.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const writeTimeoutMs = settings.writeTimeoutMs ?? DEFAULT_WRITE_TIMEOUT_MS;
  return {
    read: (operation, request, options) =>
      measured(operation, () => call(operation, send, request, timeoutMs, options)),
    write: (operation, request, options) =>
      measured(operation, () => call(operation, send, request, writeTimeoutMs, options)),
    warn: (message) => settings.onWarning?.(message),
    version: ({ signal }) => measured('version', () => readVersion(send, timeoutMs, signal)),
  };
}

const serverInfo = z.object({ version: z.string() });

/** Reads the server's version. The response at `/` is the only one without a `result`. */
async function readVersion(
  send: Send,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    return serverInfo.parse(await sendWithin(send, REQUESTS.root(), timeoutMs, signal)).version;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw translateError(error, { cancelled: signal?.aborted === true });
  }
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
      const { result } = await sendWithin(send, request, timeoutMs, signal);
      if (result === undefined) throw new Error(`Qdrant's response to ${operation} has no result.`);
      return result;
    } catch (error) {
      if (ifMissing && isMissing(error)) return ifMissing();
      throw translateError(error, { cancelled: signal?.aborted === true });
    }
  });
}

/** Sends with one deadline for all attempts. */
async function sendWithin<Body>(
  send: Send,
  request: ClientCall<Body>,
  timeoutMs: number,
  caller: AbortSignal | undefined,
): Promise<Body> {
  caller?.throwIfAborted();
  const call = new AbortController();
  const onAbort = () => call.abort(caller?.reason);
  const timer = setTimeout(() => call.abort(new TimedOut(timeoutMs)), timeoutMs);
  caller?.addEventListener('abort', onAbort, { once: true });
  try {
    return await retry(() => send(request, call.signal), { ...RETRY_ONCE, signal: call.signal });
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', onAbort);
  }
}
