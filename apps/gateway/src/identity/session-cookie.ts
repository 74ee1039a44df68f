import type { IncomingHttpHeaders } from 'node:http';
import { isToken } from '#keys/format';

const SESSION = 'lectern_session';
/** Binds the challenge of a passkey to the browser that asked for it. */
const CEREMONY = 'lectern_ceremony';

/**
 * Browsers accept a `__Host-` cookie only from this host and over TLS, so neither a sibling domain
 * nor plain HTTP can replace it.
 */
const nameOf = (name: string, isSecure: boolean) => (isSecure ? `__Host-${name}` : name);

/** A cookie that scripts cannot read. */
export function cookie(name: string, value: string, maxAgeSeconds: number, isSecure: boolean): string {
  const attributes = ['Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax'];
  if (isSecure) attributes.push('Secure');
  return [`${nameOf(name, isSecure)}=${value}`, ...attributes].join('; ');
}

/**
 * Returns the value of a cookie. Two different cookies count as none: without TLS, another port or a
 * sibling domain could have added one.
 */
export function readCookie(
  name: string,
  { cookie: header }: IncomingHttpHeaders,
  isSecure: boolean,
): string | undefined {
  const start = `${nameOf(name, isSecure)}=`;
  const found = header?.split(/;\s*/).filter((pair) => pair.startsWith(start)) ?? [];
  const [value, ...others] = new Set(found.map((pair) => pair.slice(start.length)));
  return others.length === 0 ? value : undefined;
}

/** The cookie of a session. Scripts cannot read it. */
export const sessionCookie = (token: string, maxMinutes: number, isSecure: boolean): string =>
  cookie(SESSION, token, maxMinutes * 60, isSecure);

/** Removes the cookie. */
export const clearedCookie = (isSecure: boolean): string => cookie(SESSION, '', 0, isSecure);

/** Returns the token of the session in the cookie. */
export function readSessionCookie(headers: IncomingHttpHeaders, isSecure: boolean): string | undefined {
  const token = readCookie(SESSION, headers, isSecure);
  return token !== undefined && isToken('session', token) ? token : undefined;
}

/** The cookie of a browser that starts to sign in with a passkey. */
export const ceremonyCookie = (token: string, maxAgeSeconds: number, isSecure: boolean): string =>
  cookie(CEREMONY, token, maxAgeSeconds, isSecure);

/** Returns the token in that cookie. */
export function readCeremonyCookie(headers: IncomingHttpHeaders, isSecure: boolean): string | undefined {
  const token = readCookie(CEREMONY, headers, isSecure);
  return token !== undefined && isToken('ceremony', token) ? token : undefined;
}
