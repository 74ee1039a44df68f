import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyKind } from '#gen/prisma/client';
import { toBase62 } from '#keys/base62';

/** What keys begin with, by their kind. */
export const PREFIXES: Readonly<Record<KeyKind, string>> = { publishable: 'lectern_pk_', secret: 'lectern_sk_' };
const SECRET_BYTES = 32;
/** 62^43 is the first power of 62 above 2^256. */
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const FORMAT = /^lectern_(?:pk|sk)_[0-9A-Za-z]{49}$/;

const checksum = (text: string): string => toBase62(BigInt(crc32(text)), CHECKSUM_LENGTH);

/** A new key of 256 random bits: prefix, 43 base62 characters, CRC32 of all before it in 6 base62 characters. */
export function newKey(kind: KeyKind): string {
  const secret = BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`);
  const body = PREFIXES[kind] + toBase62(secret, SECRET_LENGTH);
  return body + checksum(body);
}

/** The kind of a well-formed key; undefined for any other text, mistyped keys among them. Needs no database. */
export function kindOfKey(key: string): KeyKind | undefined {
  if (!FORMAT.test(key)) return undefined;
  const end = key.length - CHECKSUM_LENGTH;
  if (checksum(key.slice(0, end)) !== key.slice(end)) return undefined;
  return key.startsWith(PREFIXES.secret) ? 'secret' : 'publishable';
}

/** What is stored of a key. SHA-256 without salt or stretching is enough: a key has 256 random bits. */
export function hashKey(key: string): Buffer<ArrayBuffer> {
  return hash('sha256', key, 'buffer');
}
