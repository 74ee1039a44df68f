import { createHmac } from 'node:crypto';

/** Returns the headers of a signed request. `at` is in milliseconds. */
export function signedHeaders(secretKey: string, body: string | Uint8Array, at = Date.now()): Record<string, string> {
  const timestamp = String(at);
  const signature = createHmac('sha256', secretKey).update(`${timestamp}.`).update(body).digest('hex');
  return { 'X-Service-Timestamp': timestamp, 'X-Service-Signature': signature };
}
