import type { IncomingHttpHeaders } from 'node:http';
import { isToken } from '#keys/format';

const NAME = 'lectern_session';

/**
 * Browsers accept a `__Host-` cookie only from this host and over TLS, so neither a sibling domain
 * nor plain HTTP can replace it.
 */
const nameOf = (isSecure: boolean) => (isSecure ? `__Host-${NAME}` : NAME);

function cookie(value: string, maxAgeSeconds: number, isSecure: boolean): string {
  const attributes = ['Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax'];
  if (isSecure) attributes.push('Secure');
  return [`${nameOf(isSecure)}=${value}`, ...attributes].join('; ');
}

/** The cookie of a session. Scripts cannot read it. */
export const sessionCookie = (token: string, maxMinutes: number, isSecure: boolean): string =>
  cookie(token, maxMinutes * 60, isSecure);

/** Removes the cookie. */
export const clearedCookie = (isSecure: boolean): string => cookie('', 0, isSecure);

/**
 * Returns the token in the cookie. Two different cookies count as none: without TLS, another port or
 * a sibling domain could have added one.
 */
export function readSessionCookie({ cookie: header }: IncomingHttpHeaders, isSecure: boolean): string | undefined {
  const start = `${nameOf(isSecure)}=`;
  const found = header?.split(/;\s*/).filter((pair) => pair.startsWith(start)) ?? [];
  const [token, ...others] = new Set(found.map((pair) => pair.slice(start.length)));
  return token !== undefined && others.length === 0 && isToken('session', token) ? token : undefined;
}
