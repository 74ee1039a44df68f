import { hex } from './hex.ts';

/**
 * Returns the signature headers of a request: hexadecimal HMAC-SHA256 over `<timestamp>.<body>`, keyed with the
 * secret key. `at` is Unix time in milliseconds. Uses WebCrypto; throws `TypeError` if it is missing.
 */
export async function signatureHeaders(
  secretKey: string,
  body: string | Uint8Array<ArrayBuffer>,
  at: number = Date.now(),
): Promise<Record<string, string>> {
  if (crypto.subtle === undefined) {
    throw new TypeError('Cannot sign requests: browsers provide WebCrypto only on https pages and localhost.');
  }
  const timestamp = String(at);
  const text = new TextEncoder();
  const head = text.encode(`${timestamp}.`);
  const bytes = typeof body === 'string' ? text.encode(body) : body;
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', text.encode(secretKey), algorithm, false, ['sign']);
  const signature = hex(new Uint8Array(await crypto.subtle.sign('HMAC', key, signed)));
  return { 'X-Service-Timestamp': timestamp, 'X-Service-Signature': signature };
}
