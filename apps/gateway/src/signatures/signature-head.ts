import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@lectern/service-kit';
import type { StoredKey } from '#keys/key-store';

/** The maximum difference between a timestamp and the clock of the server. */
export const TOLERANCE_MS = 300_000;

const TIMESTAMP = /^\d{13}$/;
const DIGEST = /^[0-9a-f]{64}$/i;

/** A signature from the headers of a request. */
export interface SignatureHead {
  /** The text that was signed along with the body. */
  readonly timestamp: string;
  /** HMAC-SHA256, 32 bytes. */
  readonly digest: Buffer;
}

/** Creates an `invalid_signature` error with the reason. */
export function invalidSignature(why: string): AppError {
  return new AppError('invalid_signature', `Invalid request signature: ${why}`);
}

/**
 * Reads the signature of a request. Returns undefined if there is none and none is required.
 * Throws `invalid_signature` if it is missing, incomplete, malformed, too old or too new, or sent
 * with a publishable key.
 */
export function readSignatureHead(
  headers: IncomingHttpHeaders,
  key: Pick<StoredKey, 'kind' | 'requireSignature'>,
  nowMs: number,
): SignatureHead | undefined {
  const timestamp = headers['x-service-timestamp']?.toString();
  const signature = headers['x-service-signature']?.toString();
  if (timestamp === undefined && signature === undefined) {
    if (key.kind === 'publishable' || !key.requireSignature) return undefined;
    throw invalidSignature('this key must sign its requests with X-Service-Timestamp and X-Service-Signature.');
  }
  if (key.kind === 'publishable') throw invalidSignature('only a secret key can sign requests.');
  if (timestamp === undefined) throw invalidSignature('X-Service-Timestamp is missing.');
  if (signature === undefined) throw invalidSignature('X-Service-Signature is missing.');
  if (!TIMESTAMP.test(timestamp))
    throw invalidSignature('X-Service-Timestamp must be Unix time in milliseconds, 13 digits.');
  if (!DIGEST.test(signature)) throw invalidSignature('X-Service-Signature must be 64 hexadecimal digits.');
  if (Math.abs(nowMs - Number(timestamp)) > TOLERANCE_MS) {
    throw invalidSignature('X-Service-Timestamp is more than 5 minutes from the time of the server.');
  }
  return { timestamp, digest: Buffer.from(signature, 'hex') };
}
