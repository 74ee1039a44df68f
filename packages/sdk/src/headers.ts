import { signatureHeaders } from './sign.ts';
import type { Outgoing } from './transport.ts';

/** All but the signature. Throws `TypeError` for what no header can hold (https://fetch.spec.whatwg.org/#header-value). */
export function headersOf(outgoing: Outgoing, key: string, user: string | undefined): Record<string, string> {
  const headers = {
    'X-Service-Key': key,
    ...outgoing.headers,
    ...(user === undefined ? {} : { 'X-Service-User': user }),
  };
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value.trim())) {
      throw new TypeError(`${name} has a character that cannot be sent: only those of Latin-1 can.`);
    }
  }
  return headers;
}

/** The headers that sign it. `at` is Unix time in milliseconds. */
export async function signatureOf({ body = '' }: Outgoing, key: string, at: number): Promise<Record<string, string>> {
  return signatureHeaders(key, typeof body === 'string' ? body : new Uint8Array(await body.arrayBuffer()), at);
}
