import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BodyHolder } from '#http/body/held-uploads';
import type { RequestBody } from '#http/body/request-body';
import { invalidSignature, type SignatureHead } from '#signatures/signature-head';

/**
 * Checks that the signature is HMAC-SHA256 over `<timestamp>.<body>` with the secret key, where the body is its bytes as they were
 * received, before any content encoding is undone. Reads the body and holds it, so that nothing is done with it before. Throws
 * `invalid_signature`, and what reading throws.
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
