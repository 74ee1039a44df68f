import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { comparisonSides } from '#evidence/comparison-sides';
import { readQuestion } from '#evidence/question';

/** The most that is analysed of a message: each word of the sources is compared with each term. */
const MOST_CHARACTERS = 2_000;
const MOST_TERMS = 64;

const message = fc
  .array(
    fc.oneof(
      fc.stringMatching(/^[a-z]{6}$/),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom('is the', '漢字仮名', '1,'),
    ),
    { minLength: 50, maxLength: 100 },
  )
  .map((words) => Array.from({ length: 50 }, (_, at) => words.map((word) => `${word}${at}`).join(' ')).join(' '));

describe('a question', () => {
  it('is analysed within the same bounds however long it is', () => {
    fc.assert(
      fc.property(message, (text) => {
        const question = readQuestion(text);
        expect(question.text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
        expect(question.terms.length).toBeLessThanOrEqual(MOST_TERMS);
        expect(question.bigrams.length).toBeLessThan(MOST_TERMS);
        for (const side of comparisonSides(text) ?? []) expect(side.length).toBeLessThanOrEqual(MOST_CHARACTERS);
      }),
      { numRuns: 30 },
    );
  });

  it('is read from its beginning and its end where it is long', () => {
    const terms = readQuestion(`The budget of Contoso: ${'lorem ipsum '.repeat(3_000)} and its laptops?`).terms;
    const words = terms.map(({ term }) => term);
    expect(words).toEqual(expect.arrayContaining(['budget', 'contoso', 'laptop']));
  });

  it('is read whole where it is not', () => {
    const text = Array.from({ length: 60 }, (_, at) => `item${at}`).join(' ');
    const question = readQuestion(text);
    expect(question.text).toBe(text);
    expect(question.terms).toHaveLength(60);
  });
});
