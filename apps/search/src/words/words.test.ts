import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { firstLetter, fold, wordsIn, wordsStartingWith } from '#words/words';

/** Runs of letters, digits and marks only: numbers with several parts and emoji are other words. */
const text = fc
  .array(fc.constantFrom('a', 'A', 'b', 'é', 'É', 'ﬁ', 'ß', 'K', 'я', '中', '1', '\u0301', ' ', '-', '(', '𝒜'), {
    maxLength: 40,
  })
  .map((parts) => parts.join(''));

describe('wordsStartingWith', () => {
  it('returns the words that start with one of the letters after folding', () => {
    fc.assert(
      fc.property(
        text,
        fc.uniqueArray(fc.constantFrom('a', 'b', 'e', 'k', 'я', '中'), { minLength: 1 }),
        (one, from) => {
          const letters = new Set<string>(from);
          const expected = wordsIn(one)
            .map((word) => fold(word.text))
            .filter((word) => word !== '' && letters.has(firstLetter(word)));
          expect([...wordsStartingWith(letters, [one]).keys()].sort()).toEqual([...new Set(expected)].sort());
        },
      ),
    );
  });
});
