import { ApiError, toApiError } from '#api/api-error.ts';
import type { PageMeta } from '#api/types.ts';
import { currentKey, signOut } from '#session/key-store.ts';

/** A request that takes longer than this is given up. Streams have no such limit: they send pings. */
const TIMEOUT_MS = 60_000;

export interface RequestOptions {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** Another key than the one signed in with. */
  readonly key?: string;
}

export interface Page<T> {
  readonly items: T;
  readonly meta: PageMeta;
}

const withQuery = (path: string, query: RequestOptions['query'] = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
};

/** Sends a request. Throws `ApiError` for whatever is no success, and the signal's reason where it was aborted. */
export async function send(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const { body, query, signal, key = currentKey() } = options;
  let response: Response;
  try {
    response = await fetch(withQuery(path, query), {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError('unreachable', 'Lectern cannot be reached. Is it running, and are you online?');
  }
  if (response.ok) return response;
  const refused = toApiError(response.status, response.headers, await response.json().catch(() => undefined));
  if (response.status === 401 && options.key === undefined) signOut(refused.message);
  throw refused;
}

async function exchange<T>(
  method: string,
  path: string,
  options: RequestOptions,
): Promise<{ data: T; meta: PageMeta }> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  const signal = options.signal === undefined ? limit : AbortSignal.any([options.signal, limit]);
  try {
    const response = await send(method, path, { ...options, signal });
    return await response.json();
  } catch (error) {
    if (limit.aborted) throw new ApiError('timeout', 'Lectern took too long to answer. Try again.');
    throw error;
  }
}

/** The `data` of an answer. */
export async function call<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  return (await exchange<T>(method, path, options)).data;
}

/** The `data` of an answer, with where it stands in the whole. */
export async function callPage<T>(method: string, path: string, options: RequestOptions = {}): Promise<Page<T>> {
  const { data, meta } = await exchange<T>(method, path, options);
  return { items: data, meta };
}
