/**
 * The length of a gram: long enough to be specific, short enough to survive inflection and
 * compounds.
 */
const GRAM = 4;
/** For scripts that write words in one or two characters. */
const DENSE_GRAM = 2;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Creates a function that returns the share of a question's character grams that a text contains, 0
 * to 1.
 */
export function createGramOverlap(question: string): (text: string) => number {
  const size = DENSE.test(question) ? DENSE_GRAM : GRAM;
  const questionGrams = new Set(grams(question, size));
  return (text) => {
    const missing = new Set(questionGrams);
    for (const gram of grams(text, size)) missing.delete(gram);
    return questionGrams.size === 0 ? 0 : 1 - missing.size / questionGrams.size;
  };
}

/** Returns the character grams of a text. The question's script decides their length. */
export function characterGrams(question: string, text: string): Iterable<string> {
  return grams(text, DENSE.test(question) ? DENSE_GRAM : GRAM);
}

/**
 * Returns all substrings of `size` characters. A run of anything but letters and digits counts as
 * one blank.
 */
function* grams(text: string, size: number): Generator<string> {
  const plain = ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
  for (let at = 0; at + size <= plain.length; at += 1) yield plain.slice(at, at + size);
}
