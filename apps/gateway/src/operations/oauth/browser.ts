import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { PublicUrl } from '#http/public-url';

const LIFETIME_SECONDS = 600;
const SECRET = /^[\w-]{43}$/;

/**
 * The two cookies of an authorization: one for the browser that started it, and one for the browser
 * that shows the confirmation page.
 */
type Purpose = 'start' | 'confirm';

/** Creates a secret that binds an authorization to one browser. */
export const newBrowserSecret = (): string => randomBytes(32).toString('base64url');

// The name includes the state, so that concurrent authorizations do not overwrite each other's
// cookies.
const nameOf = (purpose: Purpose, state: string): string =>
  `lectern_oauth_${purpose}_${createHash('sha256').update(state).digest('hex').slice(0, 16)}`;

/**
 * Creates the cookie with the secret. The browser sends it only to the callback, including
 * redirects from the provider, and scripts cannot read it.
 */
export function oauthCookie(purpose: Purpose, state: string, secret: string, callbackUrl: string): string {
  const { pathname, protocol } = new URL(callbackUrl);
  const attributes = [`Path=${pathname}`, `Max-Age=${LIFETIME_SECONDS}`, 'HttpOnly', 'SameSite=Lax'];
  if (protocol === 'https:') attributes.push('Secure');
  return [`${nameOf(purpose, state)}=${secret}`, ...attributes].join('; ');
}

/** Returns the secret that a browser sends for a state. */
export function readOAuthCookie(purpose: Purpose, state: string, headers: IncomingHttpHeaders): string | undefined {
  const name = `${nameOf(purpose, state)}=`;
  const found = headers.cookie?.split(/;\s*/).find((pair) => pair.startsWith(name));
  const secret = found?.slice(name.length);
  return secret !== undefined && SECRET.test(secret) ? secret : undefined;
}

/**
 * True if a page of this installation starts the authorization, for example the console: the
 * provider will redirect the browser that receives this response. A request from a server has no
 * such origin.
 */
export function isOwnPage({ origin }: IncomingHttpHeaders, installation: PublicUrl): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === new URL(installation.url).host;
}

/**
 * True for a request from a browser, by its User-Agent. (`Sec-Fetch-Mode` is not enough, because
 * Node’s fetch sends it too.)
 */
export function isBrowser(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-site'] !== undefined || /\bMozilla\//.test(headers['user-agent'] ?? '');
}
