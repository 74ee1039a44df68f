/**
 * Shorter words are never misspellings of each other; longer words can differ in one place, long
 * ones in two.
 */
const MIN_LENGTH = 4;
const LONG = 8;

/** Longer runs of letters are not words; comparing two of them takes time by the square of this. */
const MAX_LENGTH = 64;

/**
 * Returns whether one word can be a misspelling of the other: one letter changed, omitted or added,
 * or two neighbors swapped (optimal string alignment distance). Words need 4 letters for one
 * difference and 8 for two, at most 64, and the same first letter.
 */
export function isMisspelling(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  if (shorter < MIN_LENGTH || Math.max(a.length, b.length) > MAX_LENGTH || a[0] !== b[0]) return false;
  const limit = shorter >= LONG ? 2 : 1;
  return Math.abs(a.length - b.length) <= limit && distance(a, b, limit) <= limit;
}

/** Returns the optimal string alignment distance if it is within `limit`. */
function distance(a: string, b: string, limit: number): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + change);
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (exchanged) best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    if (Math.min(...row) > limit) return limit + 1;
    before = above;
    above = row;
  }
  return above[b.length] ?? 0;
}
