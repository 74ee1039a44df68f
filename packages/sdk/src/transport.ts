import { withDeadline } from './deadline.ts';
import { LecternConnectionError, LecternError, readError } from './errors.ts';
import { createHeaders, signRequest } from './headers.ts';
import { retryDelay, wait } from './retry.ts';
import type { CallOptions } from './types.ts';

const TIMEOUT_MS = 60_000;
const MAX_RETRIES = 2;

export interface LecternOptions {
  /**
   * For example `http://localhost:8080`. If omitted, the environment variables `LECTERN_URL` and
   * `LECTERN_KEY` are used for URL and key.
   */
  readonly baseUrl?: string;
  /**
   * A secret key on servers, a publishable key or a user token in web pages. If only the key is omitted,
   * requests use the session of the person who is signed in, which only pages of the Lectern server
   * itself can.
   */
  readonly key?: string;
  /** Signs every request. Requires a secret key. */
  readonly sign?: boolean;
  /** The key's team. If omitted, it is requested when it is first needed. */
  readonly teamId?: string;
  /** Retries after a temporary failure. Default: 2. */
  readonly maxRetries?: number;
  /** Default: 60,000 ms; 130,000 ms for a complete chat reply. Uploads always have an hour. */
  readonly timeoutMs?: number;
  /** Replaces the platform's `fetch`. Uploads from a web page then report progress only at the end. */
  readonly fetch?: typeof fetch;
}

/** A request without its key. */
export interface Outgoing {
  readonly method: string;
  /** Includes the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Blob;
  /** True if sending the request twice is safe. */
  readonly repeatable: boolean;
  /** The default timeout of this operation in milliseconds. */
  readonly timeoutMs?: number;
  /** Wraps the custom `fetch`, or the platform's, to observe the upload of the body. */
  readonly wrapFetch?: (custom: typeof fetch | undefined) => typeof fetch;
}

/** Sends a request and reads the response within the timeout. A stream can be read beyond it. */
export type Send = <T>(
  outgoing: Outgoing,
  options: CallOptions,
  read: (response: Response) => Promise<T>,
) => Promise<T>;

/** Throws `TypeError` for an invalid URL: retrying a typo is pointless. */
function parseBaseUrl(baseUrl: string): string {
  if (!/^https?:\/\/[^/]/i.test(baseUrl)) {
    throw new TypeError('baseUrl must be a URL with http or https, for example https://lectern.example.com.');
  }
  return baseUrl.replace(/\/+$/, '');
}

/**
 * Returns the URL and the key: those of the settings, or those of the environment. The two are never
 * mixed, so that no server receives the key of another one.
 */
function locate({ baseUrl, key }: LecternOptions): { readonly baseUrl: string; readonly key: string | undefined } {
  if (baseUrl !== undefined) return { baseUrl, key };
  // Browsers have no `process`.
  const { env = {} }: { readonly env?: Readonly<Record<string, string | undefined>> } = Object(
    Reflect.get(globalThis, 'process'),
  );
  const { LECTERN_URL, LECTERN_KEY } = env;
  if (LECTERN_URL === undefined || LECTERN_URL === '') {
    throw new TypeError('baseUrl is missing. Pass the URL of the Lectern server, or set LECTERN_URL and LECTERN_KEY.');
  }
  return { baseUrl: LECTERN_URL, key: key ?? (LECTERN_KEY || undefined) };
}

/** Browsers only expose the type of a redirect that is not followed. */
const isRedirect = ({ status, type }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400);

const redirectError = (base: string) =>
  new LecternConnectionError(
    `${base} redirects to another URL. The key is not sent there. Set baseUrl to the URL of the Lectern server itself.`,
  );

/** A POST that timed out is not retried: it can still be running and using model tokens. */
const isRepeatable = (error: unknown, { method, repeatable }: Outgoing): boolean =>
  repeatable && !(method === 'POST' && error instanceof LecternConnectionError && error.isTimeout);

/** Creates the function that sends every request: keys, signatures, timeouts, retries. */
export function createSend(settings: LecternOptions): Send {
  const { sign } = settings;
  const { baseUrl, key } = locate(settings);
  if (sign === true && key === undefined) throw new TypeError('Signing requires a secret key.');
  const base = parseBaseUrl(baseUrl);
  let lastTimestamp = 0;
  /** Unique, because the server rejects the second of two equal requests with equal timestamps as a replay. */
  const nextTimestamp = () => {
    lastTimestamp = Math.max(Date.now(), lastTimestamp + 1);
    return lastTimestamp;
  };

  async function sendOnce<T>(
    outgoing: Outgoing,
    unsigned: Readonly<Record<string, string>>,
    { signal, timeoutMs }: CallOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { method, path, body } = outgoing;
    const fetchRequest = outgoing.wrapFetch?.(settings.fetch) ?? settings.fetch ?? fetch;
    // The server accepts a signature only once, so each attempt has its own.
    const headers = {
      ...unsigned,
      ...(sign && key !== undefined ? await signRequest(outgoing, key, nextTimestamp()) : {}),
    };
    const deadline = { timeoutMs: timeoutMs ?? settings.timeoutMs ?? outgoing.timeoutMs ?? TIMEOUT_MS, signal };
    try {
      return await withDeadline(deadline, async (signal) => {
        // A redirect would send the key to another server.
        const init = { method, headers, signal, redirect: 'manual' as const, ...(body === undefined ? {} : { body }) };
        const response = await fetchRequest(`${base}${path}`, init);
        if (isRedirect(response)) throw redirectError(base);
        if (!response.ok) throw await readError(response);
        return read(response);
      });
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      if (cause instanceof LecternError || cause instanceof LecternConnectionError) throw cause;
      throw new LecternConnectionError(`Cannot connect to Lectern at ${base}. Is it running?`, { cause });
    }
  }

  return async (outgoing, options, read) => {
    const headers = createHeaders(outgoing, key, options.user);
    const maxRetries = settings.maxRetries ?? MAX_RETRIES;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await sendOnce(outgoing, headers, options, read);
      } catch (error) {
        const delayMs = attempt < maxRetries ? retryDelay(error, attempt, isRepeatable(error, outgoing)) : undefined;
        if (delayMs === undefined) throw error;
        await wait(delayMs, options.signal);
      }
    }
  };
}
