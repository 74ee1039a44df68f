/** Characters per token, by class. Calibrated on BPE and WordPiece vocabularies; see estimateTokens. */
const lettersPerToken = 6;
const digitsPerToken = 3;
const otherLettersPerToken = 3;
const blanksPerToken = 4;

const space = 0;
const letter = 1;
const digit = 2;
const otherLetter = 3;
const ideograph = 4;
const mark = 5;

/** The class of each ASCII character, so that the common case is one table look-up. */
const ascii = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32) return space;
  if ((code >= 48 && code <= 57) || code === 127) return digit;
  if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) return letter;
  return mark;
});

const classOf = (code: number): number => {
  if (code < 128) return ascii[code] ?? mark;
  if (code === 0xa0 || code === 0x3000 || code === 0xfeff || code === 0x1680) return space;
  if (code < 0x250) return letter;
  // Kana, Han, Hangul and full-width forms; surrogate halves (emoji, rare Han) count one token each half.
  if (code >= 0x2e80 && code <= 0xdfff) return ideograph;
  if (code >= 0xf900 && code <= 0xfaff) return ideograph;
  if (code >= 0xff00) return ideograph;
  if ((code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x2029) return space;
  if (code === 0x202f || code === 0x205f) return space;
  if (code >= 0x2000 && code <= 0x2bff) return mark;
  return otherLetter;
};

/** Rules like ----- are few tokens in every vocabulary; other marks rarely repeat. */
const marksPerToken = 2;

const charsPerToken: readonly number[] = [
  blanksPerToken,
  lettersPerToken,
  digitsPerToken,
  otherLettersPerToken,
  1,
  marksPerToken,
];

const tokensOfRun = (kind: number, length: number): number => {
  const perToken = charsPerToken[kind] ?? 1;
  return kind === space ? Math.floor(length / perToken) : Math.ceil(length / perToken);
};

/** Whether the UTF-16 unit counts as white space for the estimate and for the edges of chunks. */
export const isSpace = (code: number): boolean => classOf(code) === space;

/**
 * A fast estimate of how many tokens a language model sees in `text` between two UTF-16 offsets, good to about 15 % for
 * European languages and on the high side for Chinese, Japanese and Korean: a run of Latin letters counts a token for
 * each six, digits one for each three, other alphabets one for each three letters, an ideograph one, marks one for each
 * two, and white space nothing unless it is long. One pass, no allocation. Cutting where white space meets text never
 * changes the sum, and cutting elsewhere never lowers it, so a chunk's count can be added up from its parts.
 */
export const estimateTokens = (text: string, start = 0, end = text.length): number => {
  let tokens = 0;
  let at = start;
  while (at < end) {
    const kind = classOf(text.charCodeAt(at));
    const from = at;
    do at++;
    while (at < end && classOf(text.charCodeAt(at)) === kind);
    tokens += tokensOfRun(kind, at - from);
  }
  return tokens;
};

/** The furthest offset up to `end` such that the text from `start` to it is estimated at no more than `budget` tokens. */
export const offsetAfterTokens = (text: string, start: number, end: number, budget: number): number => {
  let left = budget;
  let at = start;
  while (at < end) {
    const kind = classOf(text.charCodeAt(at));
    const from = at;
    const perToken = charsPerToken[kind] ?? 1;
    const furthest = from + (kind === space ? left * perToken + perToken - 1 : left * perToken);
    while (at < end && at < furthest && classOf(text.charCodeAt(at)) === kind) at++;
    if (at === furthest) return at;
    left -= tokensOfRun(kind, at - from);
  }
  return at;
};
