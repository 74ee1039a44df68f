import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BodyHolder } from '#http/body/held-uploads';
import type { RequestBody } from '#http/body/request-body';
import { invalidSignature, type SignatureHead } from '#signatures/signature-head';

/**
 * Verifies the signature: HMAC-SHA256 over `<timestamp>.<body>` with the secret key, over the
 * bytes as received, before decoding. Stores the body, so that nothing uses it before. Throws
 * `invalid_signature` and read errors.
 */
export async function checkSignature(
  { timestamp, digest }: SignatureHead,
  secretKey: string,
  body: RequestBody,
  holder: BodyHolder,
): Promise<void> {
  const hmac = createHmac('sha256', secretKey).update(`${timestamp}.`);
  await body.hold(holder, (bytes) => hmac.update(bytes));
  if (!timingSafeEqual(hmac.digest(), digest)) {
    await body.reject(holder);
    throw invalidSignature('it must be HMAC-SHA256 over <timestamp>.<body as sent> with the secret key.');
  }
}
