import { extractTerms, type Language } from '@lectern/text';
import { ANSWER_PATTERNS, NUMBER } from '#evidence/answer-patterns';
import type { ExpectedAnswer } from '#evidence/answer-type';

/** A number of other things is weak evidence. */
const OTHER_COUNT = 0.25;

/**
 * Returns how much a text has the form of the expected answer, 0 to 1, regardless of its subject: 1 for
 * a number next to the counted noun ("16 weeks" for "how many weeks"), a currency amount for a
 * price, a month or year for a date, and so on. Always 0 for the types `any` and `definition`. In a
 * row of a table, the counted noun can be in any cell.
 */
export function answerEvidence(expected: ExpectedAnswer, text: string, language: Language, isTableRow = false): number {
  if (expected.type === 'any' || expected.type === 'definition') return 0;
  if (expected.noun !== undefined) {
    if (isTableRow ? hasNumberAndNoun(text, expected.noun, language) : numberBefore(text, expected.noun, language)) {
      return 1;
    }
    return NUMBER.test(text) ? OTHER_COUNT : 0;
  }
  return ANSWER_PATTERNS[expected.type].find(([pattern]) => pattern.test(text))?.[1] ?? 0;
}

function hasNumberAndNoun(text: string, noun: string, language: Language): boolean {
  const [stem] = extractTerms(noun, language);
  return stem !== undefined && /\p{N}/u.test(text) && extractTerms(text, language).includes(stem);
}

/** Returns whether a number precedes a form of the noun by up to three words. */
function numberBefore(text: string, noun: string, language: Language): boolean {
  const [stem] = extractTerms(noun, language);
  if (stem === undefined) return false;
  const words = text.match(/[\p{L}\p{N}$€£%]+(?:[.,]\p{N}+)*/gu) ?? [];
  return words.some(
    (word, at) =>
      extractTerms(word, language)[0] === stem &&
      words.slice(Math.max(0, at - 3), at).some((before) => NUMBER.test(before)),
  );
}
