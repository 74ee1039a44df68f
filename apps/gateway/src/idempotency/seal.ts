import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';

const keyOf = (apiKey: string, context: Buffer) =>
  Buffer.from(hkdfSync('sha256', apiKey, context, 'lectern idempotent answer', 32));

/**
 * Encrypts a response with a key derived from the API key of the caller, which is not stored.
 * `context` binds it to its request.
 */
export function seal(text: Buffer, apiKey: string, context: Buffer): Buffer<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(apiKey, context), nonce);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts a response. Returns undefined if another API key sealed it. */
export function unseal(sealed: Buffer, apiKey: string, context: Buffer): Buffer | undefined {
  const end = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, keyOf(apiKey, context), sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, end)), decipher.final()]);
  } catch {
    return undefined;
  }
}
