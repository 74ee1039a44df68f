import { withSpan } from '@lectern/service-kit';
import { QdrantClient } from '@qdrant/js-client-rest';
import { isFetchFailure, isMissing, translateError } from '#connection/translate-error';

export type QdrantApi = ReturnType<QdrantClient['api']>;

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
}

/** One request to Qdrant: a typed method of the official client, given what every request has to carry. */
export type Request<Result> = (
  api: QdrantApi,
  init: { readonly signal: AbortSignal },
) => Promise<{ readonly data: { readonly result?: Result } }>;

export interface RequestOptions<Fallback> extends CallOptions {
  /** What to answer where the collection does not exist yet; without it that is an error. */
  readonly ifMissing?: () => Fallback;
}

/** Everything sent to Qdrant passes here: deadline, cancellation, span, one retry of a lost connection, errors as `AppError`. */
export interface QdrantConnection {
  read<Result, Fallback = never>(
    operation: string,
    request: Request<Result>,
    options: RequestOptions<Fallback>,
  ): Promise<Result | Fallback>;
  /** As `read`, with the longer deadline. Every write of this package can be repeated without harm. */
  write<Result, Fallback = never>(
    operation: string,
    request: Request<Result>,
    options: RequestOptions<Fallback>,
  ): Promise<Result | Fallback>;
}

/** Qdrant's REST port, where the address names none. */
const DEFAULT_PORT = 6333;
const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_WRITE_TIMEOUT_MS = 60_000;

/** Opens no connection by itself: an unreachable server shows at the first call. */
export function connectQdrant(settings: ConnectionSettings): QdrantConnection {
  const api = createClient(settings).api();
  const timeoutMs = settings.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const writeTimeoutMs = settings.writeTimeoutMs ?? DEFAULT_WRITE_TIMEOUT_MS;
  return {
    read: (operation, request, options) => call(operation, api, request, timeoutMs, options),
    write: (operation, request, options) => call(operation, api, request, writeTimeoutMs, options),
  };
}

/** The client's own timeout would take the place of our signal, so it is switched off; `call` sets the deadline. */
function createClient({ url, apiKey }: ConnectionSettings): QdrantClient {
  const { origin, pathname } = new URL(url);
  const [, port] = /^https?:\/\/[^/]*:(\d+)(?:\/|$)/i.exec(url) ?? [];
  return new QdrantClient({
    url: origin,
    port: port === undefined ? DEFAULT_PORT : Number(port),
    prefix: pathname.replace(/\/+$/, ''),
    timeout: Number.POSITIVE_INFINITY,
    checkCompatibility: false,
    ...(apiKey === undefined ? {} : { headers: { 'api-key': apiKey } }),
  });
}

function call<Result, Fallback>(
  operation: string,
  api: QdrantApi,
  request: Request<Result>,
  timeoutMs: number,
  { signal, ifMissing }: RequestOptions<Fallback>,
): Promise<Result | Fallback> {
  return withSpan(`qdrant ${operation}`, { 'db.system.name': 'qdrant', 'db.operation.name': operation }, async () => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const init = { signal: signal ? AbortSignal.any([signal, deadline]) : deadline };
    try {
      const { data } = await retryLostConnection(() => request(api, init));
      if (data.result === undefined) throw new Error(`Qdrant answered ${operation} without a result`);
      return data.result;
    } catch (error) {
      if (ifMissing && isMissing(error)) return ifMissing();
      throw translateError(error, { cancelled: signal?.aborted === true, timedOut: deadline.aborted });
    }
  });
}

/**
 * A kept-alive connection may be closed by the server just as it is used again; the second attempt opens a new one. Safe for every request of
 * this package.
 */
async function retryLostConnection<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (isFetchFailure(error)) return request();
    throw error;
  }
}
