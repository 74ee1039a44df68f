import { createHmac, timingSafeEqual } from 'node:crypto';
import type { InternalKeys } from '#grpc/internal-keys';

/** The metadata entry that authenticates a call. */
export const CALL_TOKEN_KEY = 'lectern-call-bin';

/** Services trust metadata entries with this prefix. The token covers all of them. */
const COVERED = 'lectern-';
const PURPOSE = Buffer.from('lectern internal call 1\0');
const EXPIRY_BYTES = 8;
const TOKEN_BYTES = EXPIRY_BYTES + 32;
/** Long enough for a call that waits for its connection, and for small clock differences. */
const VALID_MS = 30_000;

type MetadataValue = string | Uint8Array;

/** The subset of call metadata that both gRPC libraries provide. */
export type MetadataEntries = Iterable<readonly [name: string, values: readonly MetadataValue[]]>;

/** Why a call is rejected. */
export type Refusal = 'no_token' | 'malformed' | 'expired' | 'wrong_signature';

/** Signs a call of a method, `/package.Service/Method`, with all metadata that services trust. */
export function signCall([key]: InternalKeys, path: string, metadata: MetadataEntries, now = Date.now()): Buffer {
  const expiry = Buffer.alloc(EXPIRY_BYTES);
  expiry.writeBigUInt64BE(BigInt(now + VALID_MS));
  return Buffer.concat([expiry, signatureOf(key, expiry, path, coveredBy(metadata))]);
}

/** Returns why a call must be rejected; undefined if it is valid. */
export function refusalOf(
  keys: InternalKeys,
  path: string,
  metadata: MetadataEntries,
  now = Date.now(),
): Refusal | undefined {
  const entries = [...metadata];
  const tokens = entries.flatMap(([name, values]) => (name.toLowerCase() === CALL_TOKEN_KEY ? values : []));
  const [token] = tokens;
  if (token === undefined) return 'no_token';
  if (tokens.length > 1 || typeof token === 'string' || token.byteLength !== TOKEN_BYTES) return 'malformed';
  const bytes = Buffer.from(token.buffer, token.byteOffset, token.byteLength);
  const expiry = bytes.subarray(0, EXPIRY_BYTES);
  const signature = bytes.subarray(EXPIRY_BYTES);
  const covered = coveredBy(entries);
  if (!keys.some((key) => timingSafeEqual(signatureOf(key, expiry, path, covered), signature)))
    return 'wrong_signature';
  const remainingMs = Number(expiry.readBigUInt64BE()) - now;
  // A clock that is ahead would create tokens that stay valid for too long.
  return remainingMs < 0 || remainingMs > 2 * VALID_MS ? 'expired' : undefined;
}

function signatureOf(key: InternalKeys[0], expiry: Buffer, path: string, covered: readonly Buffer[]): Buffer {
  const hmac = createHmac('sha256', key).update(Buffer.concat([PURPOSE, expiry, ...framed(path), ...covered]));
  return hmac.digest();
}

/**
 * Returns the covered entries in a fixed order, each prefixed with its length, so that different
 * calls never have the same bytes.
 */
function coveredBy(metadata: MetadataEntries): Buffer[] {
  const covered = [...metadata]
    .map(([name, values]) => [name.toLowerCase(), values] as const)
    .filter(([name]) => name.startsWith(COVERED) && name !== CALL_TOKEN_KEY)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return covered.flatMap(([name, values]) => [
    ...framed(name),
    lengthOf(values.length),
    ...values.flatMap((value) => framed(value)),
  ]);
}

function framed(value: MetadataValue): Buffer[] {
  const bytes =
    typeof value === 'string' ? Buffer.from(value) : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return [lengthOf(bytes.byteLength), bytes];
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}
