const C1 = 0xcc9e2d51;
const C2 = 0x1b873593;
const encoder = new TextEncoder();
let bytes = new Uint8Array(256);

/**
 * Hashes the UTF-8 bytes of `term` to an unsigned integer by MurmurHash3, x86, 32 bits (Austin
 * Appleby, public domain). Never change it: stored ids depend on it. Among a million distinct terms
 * about one in 8,600 shares its id with another.
 */
export function hashTerm(term: string, seed = 0): number {
  if (term.length * 3 > bytes.length) bytes = new Uint8Array(term.length * 6);
  const length = encoder.encodeInto(term, bytes).written;
  const tail = length & ~3;
  let hash = seed | 0;
  for (let at = 0; at < tail; at += 4) {
    hash ^= scramble(byteAt(at) | (byteAt(at + 1) << 8) | (byteAt(at + 2) << 16) | (byteAt(at + 3) << 24));
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  let rest = 0;
  for (let at = length - 1; at >= tail; at--) rest = (rest << 8) | byteAt(at);
  if (length > tail) hash ^= scramble(rest);
  hash ^= length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function byteAt(at: number): number {
  return bytes[at] ?? 0;
}

function scramble(block: number): number {
  const mixed = Math.imul(block, C1);
  return Math.imul((mixed << 15) | (mixed >>> 17), C2);
}
