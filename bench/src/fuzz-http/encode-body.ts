import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { between, type Random } from '#corpus/random';
import { chance, pick } from '#fuzz-http/values';

const FAST = { level: 1 };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };

const COMPRESS = {
  gzip: (bytes: Buffer) => gzipSync(bytes, FAST),
  deflate: (bytes: Buffer) => deflateSync(bytes, FAST),
  br: (bytes: Buffer) => brotliCompressSync(bytes, BROTLI),
} as const;

const ENCODINGS = ['gzip', 'deflate', 'br'] as const;

/** Compression bombs. */
const LARGE: readonly (() => Buffer)[] = [
  () => Buffer.alloc(32 * 1024 * 1024, ' '),
  () => Buffer.alloc(32 * 1024 * 1024, '['),
  () => Buffer.from(`{"query":"a","filters":{"$or":[${'{},'.repeat(1_390_000)}{}]}}`),
  () => Buffer.from(`{${Array.from({ length: 350_000 }, (_, at) => `"k${at}":0`).join(',')}}`),
  () => Buffer.from(`{"query":"${'\\u0061'.repeat(2_000_000)}"}`),
];

/** Created once each, because compressing them takes longer than the requests. */
const bombs = new Map<string, Buffer>();

function bombOf(encoding: keyof typeof COMPRESS, which: number): Buffer {
  const name = `${encoding} ${which}`;
  const bytes = bombs.get(name) ?? COMPRESS[encoding](LARGE[which]?.() ?? Buffer.alloc(0));
  bombs.set(name, bytes);
  return bytes;
}

/** An encoded body and its Content-Encoding header. */
export interface EncodedBody {
  readonly bytes: Buffer;
  readonly contentEncoding: string | undefined;
}

/** Encodes a body: mostly not at all, sometimes correctly, sometimes not matching the header. */
export function encodeBody(random: Random, bytes: Buffer): EncodedBody {
  const kind = between(random, 0, 39);
  const encoding = pick(random, ENCODINGS);
  if (kind === 0) {
    return { bytes: bombOf(encoding, between(random, 0, LARGE.length - 1)), contentEncoding: encoding };
  }
  if (kind <= 4) return { bytes: COMPRESS[encoding](bytes), contentEncoding: encoding };
  if (kind === 5) {
    const whole = COMPRESS[encoding](bytes);
    return { bytes: whole.subarray(0, between(random, 0, whole.length)), contentEncoding: encoding };
  }
  if (kind === 6) return { bytes, contentEncoding: encoding };
  if (kind === 7) return { bytes: COMPRESS.gzip(COMPRESS.gzip(bytes)), contentEncoding: 'gzip, gzip' };
  if (kind === 8)
    return { bytes, contentEncoding: pick(random, ['zstd', 'compress', 'identity', '', 'x'.repeat(3_000)]) };
  if (kind === 9 && bytes.length > 0) return { bytes: scrambled(random, bytes), contentEncoding: undefined };
  return { bytes, contentEncoding: undefined };
}

function scrambled(random: Random, bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  for (let n = between(random, 1, 5); n > 0; n -= 1) {
    changed[between(random, 0, changed.length - 1)] = chance(random, 0.3) ? 0xff : between(random, 0, 255);
  }
  return changed;
}
