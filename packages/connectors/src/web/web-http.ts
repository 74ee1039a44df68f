import type { ConnectorCall } from '#connector';
import type { ConnectorHost } from '#host';
import { createSourceHttp } from '#http/create-source-http';
import type { SourceHttp } from '#http/source-http';
import { SourceError } from '#source-error';
import type { HostPace } from '#web/host-pace';

const ACCEPT = 'text/html,application/xhtml+xml,application/pdf,text/plain;q=0.9,*/*;q=0.5';

/** A response that points to another URL. */
export class Redirected extends SourceError {
  readonly location: string;

  constructor(host: string, location: string) {
    super('invalid', `${host} redirects the request.`);
    this.location = location;
  }
}

/** A response for a page that has not changed. */
export class NotModified extends SourceError {
  readonly headers: Headers;

  constructor(host: string, headers: Headers) {
    super('invalid', `${host} returned HTTP 304 for a request without a condition.`);
    this.headers = headers;
  }
}

export interface WebResponse {
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Single requests to websites. Redirects are not followed: each hop has to be checked. */
export interface WebHttp {
  /**
   * Requests one URL at the pace of its host. Throws `Redirected` for a redirect, and `NotModified`
   * if the response to conditions is that nothing changed.
   */
  get(call: ConnectorCall, url: URL, conditions?: Readonly<Record<string, string>>): Promise<WebResponse>;
}

function errorOf(host: string, status: number, headers: Headers): SourceError | undefined {
  if (status === 304) return new NotModified(host, headers);
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null) return new Redirected(host, location);
  if (status === 401 || status === 403 || status === 451) {
    const advice = 'Pages that need a sign-in cannot be crawled. Exclude its path, or make the page public.';
    return new SourceError('forbidden', `${host} denies access to this page (HTTP ${status}). ${advice}`);
  }
  return undefined;
}

export function createWebHttp({ egress }: Pick<ConnectorHost, 'egress'>, pace: HostPace): WebHttp {
  const fetch: typeof globalThis.fetch = (url, init) => egress.fetch(url, { ...init, redirect: 'manual' });
  const clients = new Map<string, SourceHttp>();
  const clientOf = (host: string): SourceHttp => {
    const known = clients.get(host);
    if (known !== undefined) return known;
    const client = createSourceHttp({
      fetch,
      platform: host,
      // Called before each attempt, so that retries keep the pace too. Sends no credentials.
      authorize: async ({ signal }) => {
        await pace.turn(host, signal);
        return {};
      },
      errorOf: ({ status, headers }) => errorOf(host, status, headers),
    });
    clients.set(host, client);
    return client;
  };
  return {
    get: async (call, url, conditions = {}) => {
      const request = { url, headers: { accept: ACCEPT, ...conditions }, what: url.pathname };
      const { value, headers } = await clientOf(url.host).download(call, request);
      return { headers, body: value };
    },
  };
}

/** Ends a response without reading the rest of its body. */
export async function discard({ body }: WebResponse): Promise<void> {
  const pieces = body[Symbol.asyncIterator]();
  await pieces.next();
  await pieces.return?.();
}

/**
 * Runs `work` with a limit on its total time, including slow bodies. Throws `transient` at the end
 * of it.
 */
export async function withinTime<T>(
  call: ConnectorCall,
  { timeoutMs, what }: { readonly timeoutMs: number; readonly what: string },
  work: (call: ConnectorCall) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await work({ signal: AbortSignal.any([call.signal, timeout]) });
  } catch (error) {
    if (!timeout.aborted || call.signal.aborted) throw error;
    throw new SourceError('transient', `${what} did not end within ${Math.round(timeoutMs / 1000)} s.`, {
      cause: error,
    });
  }
}

/** Reads a body of at most `maxBytes`. Throws `too_large`. */
export async function readBytes(response: WebResponse, maxBytes: number, what: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) {
      const mib = Math.max(1, Math.round(maxBytes / (1024 * 1024)));
      throw new SourceError('too_large', `${what} is larger than ${mib} MiB.`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
