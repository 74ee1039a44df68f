import { withDeadline } from './deadline.ts';
import { errorOf, LecternConnectionError, LecternError } from './errors.ts';
import { headersOf, signatureOf } from './headers.ts';
import { retryDelay, wait } from './retry.ts';
import type { CallOptions } from './types.ts';

const TIMEOUT_MS = 60_000;
const MAX_RETRIES = 2;

/** How to reach Lectern. */
export interface LecternOptions {
  /** For example `http://localhost:8080`. */
  readonly baseUrl: string;
  /** A secret key on servers, a publishable one in pages. */
  readonly key: string;
  /** Signs every request; needs a secret key. */
  readonly sign?: boolean;
  /** The key's team; asked for once where it is needed and left out. */
  readonly teamId?: string;
  /** Further tries after a failure that may pass, 2 by default. */
  readonly maxRetries?: number;
  /** Milliseconds for an answer; 60,000 by default, 130,000 for a whole reply, an hour for an upload whatever is said here. */
  readonly timeoutMs?: number;
  /** In place of the platform's own. An upload in a page then tells its progress only at its end. */
  readonly fetch?: typeof fetch;
}

/** A request, ready but for its key. */
export interface Outgoing {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Blob;
  /** True where doing it twice does no harm. */
  readonly repeatable: boolean;
  /** Milliseconds for an answer, where the caller says nothing; 60,000 by default. */
  readonly timeoutMs?: number;
  /** Makes what sends the request of the caller's own `fetch`, for those who watch the body go. */
  readonly via?: (given: typeof fetch | undefined) => typeof fetch;
}

/** Sends a request and has its answer read, both within the time; throws what it failed with. A stream may be read on afterwards. */
export type Send = <T>(
  outgoing: Outgoing,
  options: CallOptions,
  read: (response: Response) => Promise<T>,
) => Promise<T>;

/** Where Lectern is. Throws `TypeError` for what is no address: a typing error is no network that may recover. */
function baseOf(baseUrl: string): string {
  if (!/^https?:\/\/[^/]/i.test(baseUrl)) {
    throw new TypeError('baseUrl must be an address with its scheme, such as https://lectern.example.com.');
  }
  return baseUrl.replace(/\/+$/, '');
}

/** Browsers show no more of a redirect that is not followed than its type. */
const isRedirect = ({ status, type }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400);

const redirected = (base: string) =>
  new LecternConnectionError(
    `${base} sends elsewhere, where the key must not follow. Set baseUrl to the address at which Lectern itself answers.`,
  );

/** What was begun by a POST may still be at work when our own time is up, and a model be paid for it: that is not begun once more. */
const mayRepeat = (error: unknown, { method, repeatable }: Outgoing): boolean =>
  repeatable && !(method === 'POST' && error instanceof LecternConnectionError && error.isTimeout);

/** Makes the one place through which every request goes: keys, signatures, deadlines, tries. */
export function createSend(settings: LecternOptions): Send {
  const { key, sign } = settings;
  const base = baseOf(settings.baseUrl);
  let lastAt = 0;
  /** Never the same twice: of two equal requests within a millisecond, the second would pass for a replay of the first. */
  const nextAt = () => {
    lastAt = Math.max(Date.now(), lastAt + 1);
    return lastAt;
  };

  async function once<T>(
    outgoing: Outgoing,
    unsigned: Readonly<Record<string, string>>,
    { signal, timeoutMs }: CallOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { method, path, body } = outgoing;
    const ask = outgoing.via?.(settings.fetch) ?? settings.fetch ?? fetch;
    // Signed anew with each try: a signature is good for one.
    const headers = { ...unsigned, ...(sign ? await signatureOf(outgoing, key, nextAt()) : {}) };
    const limit = { timeoutMs: timeoutMs ?? settings.timeoutMs ?? outgoing.timeoutMs ?? TIMEOUT_MS, signal };
    try {
      return await withDeadline(limit, async (signal) => {
        // The key must not follow a redirect to somewhere else.
        const init = { method, headers, signal, redirect: 'manual' as const, ...(body === undefined ? {} : { body }) };
        const response = await ask(`${base}${path}`, init);
        if (isRedirect(response)) throw redirected(base);
        if (!response.ok) throw await errorOf(response);
        return read(response);
      });
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      if (cause instanceof LecternError || cause instanceof LecternConnectionError) throw cause;
      throw new LecternConnectionError(`Lectern cannot be reached at ${base}.`, { cause });
    }
  }

  return async (outgoing, options, read) => {
    const headers = headersOf(outgoing, key, options.user);
    const tries = settings.maxRetries ?? MAX_RETRIES;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await once(outgoing, headers, options, read);
      } catch (error) {
        const delayMs = attempt < tries ? retryDelay(error, attempt, mayRepeat(error, outgoing)) : undefined;
        if (delayMs === undefined) throw error;
        await wait(delayMs, options.signal);
      }
    }
  };
}
