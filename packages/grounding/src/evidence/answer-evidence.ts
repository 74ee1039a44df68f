import { extractTerms, type Language } from '@lectern/text';
import { ANSWER_SIGNS, NUMBER } from '#evidence/answer-signs';
import type { ExpectedAnswer } from '#evidence/answer-type';

/** A number that counts something else than what was asked for is a weak sign. */
const OTHER_COUNT = 0.25;

/**
 * How much a text looks like the answer expected, 0 to 1, whatever it speaks of: 1 for a number with the counted noun next to it ("16 weeks"
 * for "how many weeks"), a currency amount for a price, a month or year for a date and so on; 0 with none of the signs.
 * Types without signs (`any`, `definition`) give 0.
 */
export function answerEvidence(expected: ExpectedAnswer, text: string, language: Language): number {
  if (expected.type === 'any' || expected.type === 'definition') return 0;
  if (expected.noun !== undefined) {
    if (numberBeside(text, expected.noun, language)) return 1;
    return NUMBER.test(text) ? OTHER_COUNT : 0;
  }
  return ANSWER_SIGNS[expected.type].find(([sign]) => sign.test(text))?.[1] ?? 0;
}

/** Whether a number stands up to three words before a form of the noun. */
function numberBeside(text: string, noun: string, language: Language): boolean {
  const [stem] = extractTerms(noun, language);
  if (stem === undefined) return false;
  const words = text.match(/[\p{L}\p{N}$€£%]+(?:[.,]\p{N}+)*/gu) ?? [];
  return words.some(
    (word, at) =>
      extractTerms(word, language)[0] === stem &&
      words.slice(Math.max(0, at - 3), at).some((before) => NUMBER.test(before)),
  );
}
