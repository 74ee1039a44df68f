import { hex } from './hex.ts';

/**
 * The headers that sign a request: hexadecimal HMAC-SHA256 over `<timestamp>.<body>`, keyed with the secret key. `at` is Unix time in
 * milliseconds. WebCrypto, so it works in Node, on the edge and in browsers (where a secret key has no place). Throws `TypeError` where
 * WebCrypto is missing.
 */
export async function signatureHeaders(
  secretKey: string,
  body: string | Uint8Array<ArrayBuffer>,
  at: number = Date.now(),
): Promise<Record<string, string>> {
  if (crypto.subtle === undefined) {
    throw new TypeError(
      'Requests cannot be signed here: browsers have WebCrypto at https addresses and localhost alone.',
    );
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
