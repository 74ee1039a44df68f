import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyKind } from '#gen/prisma/client';

/** The prefixes of keys, by kind. */
export const PREFIXES: Readonly<Record<KeyKind, string>> = { publishable: 'lectern_pk_', secret: 'lectern_sk_' };

/**
 * What a token is for: an API key, a user of a web page, the session of a person, a link that works
 * once, the browser that starts to sign in with a passkey, SCIM, or the access of a connected app with
 * its authorization code and refresh tokens.
 */
type TokenKind =
  | KeyKind
  | 'userToken'
  | 'session'
  | 'link'
  | 'ceremony'
  | 'scim'
  | 'appCode'
  | 'appAccess'
  | 'appRefresh';
const TOKEN_PREFIXES: Readonly<Record<TokenKind, string>> = {
  ...PREFIXES,
  userToken: 'lectern_ut_',
  session: 'lectern_ss_',
  link: 'lectern_ln_',
  ceremony: 'lectern_ce_',
  scim: 'lectern_sc_',
  appCode: 'lectern_ac_',
  appAccess: 'lectern_at_',
  appRefresh: 'lectern_rt_',
};
const SECRET_BYTES = 32;
/** 62^43 is the first power of 62 above 2^256. */
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const FORMAT = /^lectern_(?:pk|sk|ut|ss|ln|ce|sc|ac|at|rt)_[0-9A-Za-z]{49}$/;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Formats a number in base 62 (digits, upper case, lower case), padded with zeros to the length. */
function toBase62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  while (rest > 0n) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text.padStart(length, '0');
}

const checksum = (text: string): string => toBase62(BigInt(crc32(text)), CHECKSUM_LENGTH);

/**
 * Creates a key or another token with 256 random bits: the prefix, 43 base62 characters, and the
 * CRC32 of both as 6 base62 characters.
 */
export function newKey(kind: TokenKind): string {
  const secret = BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`);
  const body = TOKEN_PREFIXES[kind] + toBase62(secret, SECRET_LENGTH);
  return body + checksum(body);
}

/** True for a well-formed token of this kind. Needs no database. */
export function isToken(kind: TokenKind, text: string): boolean {
  if (!FORMAT.test(text) || !text.startsWith(TOKEN_PREFIXES[kind])) return false;
  const end = text.length - CHECKSUM_LENGTH;
  return checksum(text.slice(0, end)) === text.slice(end);
}

/**
 * Returns the kind of a well-formed key. Returns undefined for any other text, for example a key
 * with a typo.
 */
export function kindOfKey(key: string): KeyKind | undefined {
  if (isToken('secret', key)) return 'secret';
  return isToken('publishable', key) ? 'publishable' : undefined;
}

/** Returns the hash to store. SHA-256 without a salt is enough for 256 random bits. */
export function hashKey(key: string): Buffer<ArrayBuffer> {
  return hash('sha256', key, 'buffer');
}
