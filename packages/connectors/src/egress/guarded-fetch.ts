import { type Agent, type BodyInit, fetch } from 'undici';
import { SourceError } from '../source-error.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
// All that may follow to another origin; whatever else a client adds could be a secret.
const HARMLESS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'range',
  'user-agent',
]);
const BODY_HEADERS = ['content-type', 'content-length', 'content-encoding', 'content-language', 'content-location'];

interface Target {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: BodyInit | null | undefined;
}

const refused = (message: string) => new SourceError('invalid', message);

function checkedUrl(text: string, base?: string): URL {
  if (!URL.canParse(text, base)) throw refused('The address is not a URL.');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refused(`Addresses must begin with https:// or http://, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') throw refused('An address must not hold a user name or password.');
  return url;
}

/** The request that a redirect asks for, without what the new address must not learn. */
function follow(from: Target, status: number, location: string): Target {
  const { url, method } = from;
  const to = checkedUrl(location, url.href);
  const headers = new Headers(from.headers);
  const becomesGet = status === 303 ? method !== 'HEAD' : method === 'POST' && (status === 301 || status === 302);
  const body = becomesGet ? undefined : from.body;
  if (becomesGet) for (const name of BODY_HEADERS) headers.delete(name);
  if (to.origin !== url.origin) {
    if (url.protocol === 'https:' && to.protocol === 'http:') {
      throw refused(`${url.host} redirects from https to http, which is not followed.`);
    }
    // A body can hold a secret as well as a header can.
    if (body !== undefined && body !== null) {
      throw refused(`${url.host} redirects a request with content to another server, which is not followed.`);
    }
    for (const name of [...headers.keys()]) if (!HARMLESS.has(name)) headers.delete(name);
  }
  if (body instanceof ReadableStream) {
    throw refused(`${url.host} redirects a request whose content can be sent only once.`);
  }
  return { url: to, method: becomesGet ? 'GET' : method, headers, body };
}

/** What a failed `fetch` should be thrown as: the guard's own refusal rather than the wrapper around it. */
function unwrap(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof SourceError) return cause;
  return error;
}

/**
 * `fetch` over a guarded agent. Follows up to five redirects, each checked like a first address; to another origin go neither
 * content nor any header that could be a secret, and from https to http goes nothing. Takes no `Request` objects.
 */
export function createGuardedFetch(agent: () => Agent): typeof globalThis.fetch {
  return async (input, init = {}) => {
    if (input instanceof Request) throw new TypeError('The guarded fetch takes a URL and options, no Request.');
    if (init.body instanceof FormData) throw new TypeError('The guarded fetch takes no FormData.');
    const mode = init.redirect ?? 'follow';
    let target: Target = {
      url: checkedUrl(String(input)),
      method: (init.method ?? 'GET').toUpperCase(),
      headers: new Headers(init.headers),
      body: init.body,
    };
    for (let redirects = 0; ; redirects += 1) {
      const { url, method, headers, body = null } = target;
      const response = await fetch(url, {
        method,
        headers: [...headers],
        body,
        signal: init.signal ?? null,
        redirect: 'manual',
        duplex: 'half',
        dispatcher: agent(),
      }).catch((error: unknown) => {
        throw unwrap(error);
      });
      const location = response.headers.get('location');
      if (mode === 'manual' || location === null || !REDIRECTS.has(response.status)) return response;
      await response.body?.cancel();
      if (mode === 'error') throw refused(`${url.host} redirects, which is not followed here.`);
      if (redirects === MAX_REDIRECTS) throw refused(`${url.host} redirects more than ${MAX_REDIRECTS} times.`);
      target = follow(target, response.status, location);
    }
  };
}
