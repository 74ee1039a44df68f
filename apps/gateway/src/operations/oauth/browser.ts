import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { PublicAddress } from '#operations/oauth/public-address';

const LIFETIME_SECONDS = 600;
const SECRET = /^[\w-]{43}$/;

/** Of the two cookies of an authorisation: the one of the browser that began it, and that of the page that asks for a confirmation. */
type Purpose = 'begun' | 'asked';

/** A secret that ties an authorisation to one browser. */
export const newBrowserSecret = (): string => randomBytes(32).toString('base64url');

// Named after its state, so that authorisations side by side do not overwrite each other.
const nameOf = (purpose: Purpose, state: string): string =>
  `lectern_oauth_${purpose}_${createHash('sha256').update(state).digest('hex').slice(0, 16)}`;

/** A cookie that this browser alone brings to the callback, also when the provider sends it there, and that no script reads. */
export function oauthCookie(purpose: Purpose, state: string, secret: string, callbackUrl: string): string {
  const { pathname, protocol } = new URL(callbackUrl);
  const attributes = [`Path=${pathname}`, `Max-Age=${LIFETIME_SECONDS}`, 'HttpOnly', 'SameSite=Lax'];
  if (protocol === 'https:') attributes.push('Secure');
  return [`${nameOf(purpose, state)}=${secret}`, ...attributes].join('; ');
}

/** The secret that a browser brings along for a state. */
export function readOAuthCookie(purpose: Purpose, state: string, headers: IncomingHttpHeaders): string | undefined {
  const name = `${nameOf(purpose, state)}=`;
  const found = headers.cookie?.split(/;\s*/).find((pair) => pair.startsWith(name));
  const secret = found?.slice(name.length);
  return secret !== undefined && SECRET.test(secret) ? secret : undefined;
}

/**
 * True where a page of our own begins an authorisation, as the console does: then the browser that gets the answer is the one that the provider
 * sends back. A request that a server makes has no such origin.
 */
export function isOwnPage({ origin }: IncomingHttpHeaders, own: PublicAddress): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === new URL(own.url).host;
}

/** True for a request of a browser: each says so in its User-Agent. (`Sec-Fetch-Mode` alone is sent by Node's fetch too.) */
export function isBrowser(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-site'] !== undefined || /\bMozilla\//.test(headers['user-agent'] ?? '');
}
