import type { Random } from '#corpus/random';

/**
 * Creates a generator of ranks from 0 to `size` − 1 with weights `1 / (rank + 1) ^ exponent`
 * (Zipf's law).
 */
export function createZipf(size: number, exponent: number): (random: Random) => number {
  const upTo = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank += 1) {
    sum += 1 / (rank + 1) ** exponent;
    upTo[rank] = sum;
  }
  return (random) => {
    const drawn = random() * sum;
    let low = 0;
    let high = size - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((upTo[middle] ?? sum) > drawn) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
