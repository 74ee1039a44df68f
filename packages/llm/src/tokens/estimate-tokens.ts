const PIECE =
  /(?<unspaced>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])|(?<word>[\p{L}\p{M}]+)|\p{N}{1,3}|\s*\n\s*|[^\S\n]{2,}|[^\s\p{L}\p{M}\p{N}]{1,2}/gu;

/** Words up to this length are mostly one token; beyond it each further letter adds a share of one. */
const WHOLE_WORD_LENGTH = 6;
const PER_FURTHER_LETTER = 0.18;
/** Letters outside ASCII are split finer: tokens per letter, at least one and a bit a word. */
const PER_OTHER_LETTER = 0.45;

/**
 * Estimates how many tokens a byte-pair tokenizer makes of a text, in one pass and without a vocabulary. Counts words, long words
 * by length, digits in threes, punctuation in pairs, a line break each, and one token a character in scripts without spaces.
 * Fitted against OpenAI's o200k_base: within 10% of it on English and German prose and Markdown, up to 25% above on Chinese.
 * Never below 1 for a text with anything but blanks in it.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const { groups } of text.matchAll(PIECE)) {
    const word = groups?.word;
    tokens += word === undefined ? 1 : wordTokens(word);
  }
  return Math.ceil(tokens);
}

function wordTokens(word: string): number {
  if (/^[a-z]*$/i.test(word)) return 1 + Math.max(0, word.length - WHOLE_WORD_LENGTH) * PER_FURTHER_LETTER;
  return Math.max(1.3, word.length * PER_OTHER_LETTER);
}
