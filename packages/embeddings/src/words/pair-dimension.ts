/**
 * Returns the dimension of two adjacent words from the dimensions of the words, as MurmurHash3 of
 * two blocks. The order of the words matters. Never change it: stored ids depend on it.
 */
export function pairDimension(first: number, second: number): number {
  let hash = mixed(mixed(PAIR_SEED, first), second) ^ PAIR_BYTES;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Differs from the seeds of words, grams and shortenings. */
const PAIR_SEED = 3;
const PAIR_BYTES = 8;

function mixed(hash: number, block: number): number {
  const scrambled = Math.imul(block, 0xcc9e2d51);
  const value = hash ^ Math.imul((scrambled << 15) | (scrambled >>> 17), 0x1b873593);
  return (Math.imul((value << 13) | (value >>> 19), 5) + 0xe6546b64) | 0;
}
