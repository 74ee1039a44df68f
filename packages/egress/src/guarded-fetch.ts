import { type Agent, type BodyInit, fetch } from 'undici';
import { EgressError, egressErrorIn } from '#egress-error';

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
// Only these headers are sent to another origin; any other could be a secret.
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

const rejected = (message: string) => new EgressError(message);

function checkedUrl(text: string, base?: string): URL {
  if (!URL.canParse(text, base)) {
    throw rejected(
      base === undefined
        ? 'The URL is invalid. Use the format https://host/path.'
        : `${new URL(base).host} redirects to an invalid URL.`,
    );
  }
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw rejected(`URLs must begin with https:// or http://, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') throw rejected('A URL must not contain a user name or password.');
  return url;
}

/** Returns the redirected request, without headers that could send secrets to another origin. */
function follow(from: Target, status: number, location: string): Target {
  const { url, method } = from;
  const to = checkedUrl(location, url.href);
  const headers = new Headers(from.headers);
  const becomesGet = status === 303 ? method !== 'HEAD' : method === 'POST' && (status === 301 || status === 302);
  const body = becomesGet ? undefined : from.body;
  if (becomesGet) for (const name of BODY_HEADERS) headers.delete(name);
  if (to.origin !== url.origin) {
    if (url.protocol === 'https:' && to.protocol === 'http:') {
      throw rejected(`${url.host} redirects from https to http, which is not followed.`);
    }
    // A body can contain secrets too.
    if (body !== undefined && body !== null) {
      throw rejected(`${url.host} redirects a request with content to another server, which is not followed.`);
    }
    for (const name of [...headers.keys()]) if (!HARMLESS.has(name)) headers.delete(name);
  }
  if (body instanceof ReadableStream) {
    throw rejected(`${url.host} redirects a request whose content can be sent only once.`);
  }
  return { url: to, method: becomesGet ? 'GET' : method, headers, body };
}

/**
 * Creates a `fetch` that uses a guarded agent. Follows up to five redirects and checks each
 * address; with `withinOrigin`, only to the same origin. Sends neither bodies nor possible secrets to
 * another origin, and never follows https to http. Does not accept `Request` objects.
 */
export function createGuardedFetch(
  agent: () => Agent,
  { withinOrigin = false }: { readonly withinOrigin?: boolean } = {},
): typeof globalThis.fetch {
  return async (input, init = {}) => {
    if (input instanceof Request) throw new TypeError('The guarded fetch accepts a URL and options, not a Request.');
    if (init.body instanceof FormData) throw new TypeError('The guarded fetch does not accept FormData.');
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
        throw egressErrorIn(error) ?? error;
      });
      const location = response.headers.get('location');
      if (mode === 'manual' || location === null || !REDIRECTS.has(response.status)) return response;
      await response.body?.cancel();
      if (mode === 'error') throw rejected(`${url.host} redirects, which is not followed here.`);
      if (redirects === MAX_REDIRECTS) throw rejected(`${url.host} redirects more than ${MAX_REDIRECTS} times.`);
      target = follow(target, response.status, location);
      if (withinOrigin && target.url.origin !== url.origin) {
        throw rejected(`${url.host} redirects to another server, which is not followed.`);
      }
    }
  };
}
