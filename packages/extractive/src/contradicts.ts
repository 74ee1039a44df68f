import type { Candidate } from '@lectern/grounding';

/** Units of two documents with at least this share of all their words in common state the same fact. */
const SAME_FACT = 0.6;
const MIN_SHARED = 3;
const NUMBER = /\p{N}+(?:[.,:]\p{N}+)*/gu;

/**
 * Returns whether units of two documents state the same fact with different numbers or dates. All
 * other words are compared, whatever the numbers are.
 */
export function contradicts(a: Candidate, b: Candidate): boolean {
  if (a.source.id === b.source.id) return false;
  const [first, second] = [numbersOf(a), numbersOf(b)];
  const differ = (one: ReadonlySet<string>, other: ReadonlySet<string>) => [...one].some((found) => !other.has(found));
  if (!differ(first, second) || !differ(second, first)) return false;
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const shared = [...left].filter((term) => right.has(term)).length;
  return shared >= MIN_SHARED && shared / (left.size + right.size - shared) >= SAME_FACT;
}

const numbersOf = ({ unit }: Candidate): ReadonlySet<string> => new Set(unit.text.match(NUMBER));
const wordsOf = ({ terms }: Candidate): ReadonlySet<string> => new Set(terms.filter((term) => !/\p{N}/u.test(term)));
