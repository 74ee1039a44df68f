import { createHmac, timingSafeEqual } from 'node:crypto';
import type { UploadOrigin } from '#http/body/buffered-uploads';
import type { RequestBody } from '#http/body/request-body';
import { invalidSignature, type SignatureHead } from '#signatures/signature-head';

/**
 * Verifies the signature: HMAC-SHA256 over `<timestamp>.<body>` with the secret key, where the body
 * is the received bytes before decoding. Buffers the body, so that nothing uses it unverified.
 * Throws `invalid_signature` and read errors.
 */
export async function checkSignature(
  { timestamp, digest }: SignatureHead,
  secretKey: string,
  body: RequestBody,
  origin: UploadOrigin,
): Promise<void> {
  const hmac = createHmac('sha256', secretKey).update(`${timestamp}.`);
  await body.buffer(origin, (bytes) => hmac.update(bytes));
  if (!timingSafeEqual(hmac.digest(), digest)) {
    await body.reject(origin);
    throw invalidSignature('it must be HMAC-SHA256 over <timestamp>.<body as sent> with the secret key.');
  }
}
