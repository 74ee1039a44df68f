import { signatureHeaders } from './sign.ts';
import type { Outgoing } from './transport.ts';

/**
 * Creates all headers except the signature. Throws `TypeError` for a value that HTTP cannot transport
 * (https://fetch.spec.whatwg.org/#header-value).
 */
export function createHeaders(
  outgoing: Outgoing,
  key: string | undefined,
  user: string | undefined,
): Record<string, string> {
  const headers = {
    // Forms of other sites cannot send the header that a session requires.
    ...(key === undefined ? { 'X-Lectern-CSRF': '1' } : { 'X-Service-Key': key }),
    ...outgoing.headers,
    ...(user === undefined ? {} : { 'X-Service-User': user }),
  };
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value.trim())) {
      throw new TypeError(`${name} contains a character that is not allowed in a header. Use Latin-1 characters only.`);
    }
  }
  return headers;
}

/** Returns the signature headers of a request. `at` is Unix time in milliseconds. */
export async function signRequest({ body = '' }: Outgoing, key: string, at: number): Promise<Record<string, string>> {
  return signatureHeaders(key, typeof body === 'string' ? body : new Uint8Array(await body.arrayBuffer()), at);
}
