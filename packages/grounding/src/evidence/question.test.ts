import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { comparisonSides } from '#evidence/comparison-sides';
import { readQuestion } from '#evidence/question';

/** The limits of the analysis: every word of the sources is compared with every term. */
const MAX_CHARACTERS = 2_000;
const MAX_TERMS = 64;

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
  it('is analyzed within the same limits, however long it is', () => {
    fc.assert(
      fc.property(message, (text) => {
        const question = readQuestion(text);
        expect(question.text.length).toBeLessThanOrEqual(MAX_CHARACTERS);
        expect(question.terms.length).toBeLessThanOrEqual(MAX_TERMS);
        expect(question.bigrams.length).toBeLessThan(MAX_TERMS);
        for (const side of comparisonSides(text) ?? []) expect(side.length).toBeLessThanOrEqual(MAX_CHARACTERS);
      }),
      { numRuns: 30 },
    );
  });

  it('is analyzed at its start and end if it is long', () => {
    const terms = readQuestion(`The budget of Contoso: ${'lorem ipsum '.repeat(3_000)} and its laptops?`).terms;
    const words = terms.map(({ term }) => term);
    expect(words).toEqual(expect.arrayContaining(['budget', 'contoso', 'laptop']));
  });

  it('is analyzed as a whole if it is short', () => {
    const text = Array.from({ length: 60 }, (_, at) => `item${at}`).join(' ');
    const question = readQuestion(text);
    expect(question.text).toBe(text);
    expect(question.terms).toHaveLength(60);
  });

  it.each([
    'Please tell me who won the regatta in 2018.',
    'Tell me the default port of the gateway.',
    'I want to know when the office opens.',
    "Hi, I'd like to know how leave works.",
    'List all plans that include support.',
    'Bitte erkläre mir die Regeln für Reisen.',
    'Ich möchte wissen, wann das Büro öffnet.',
    'Könnten Sie mir die Frist nennen, bitte.',
    'How many days of leave do I get.',
  ])('is no claim if it asks or requests: %s', (text) => {
    expect(readQuestion(text).isClaim).toBe(false);
  });

  it.each([
    'Ana Silva won the regatta in 2018.',
    'Employees who travel get a daily allowance of 20 euros.',
    'Das Büro ist am Montag geschlossen.',
  ])('is a claim if it states something: %s', (text) => {
    expect(readQuestion(text).isClaim).toBe(true);
  });
});
