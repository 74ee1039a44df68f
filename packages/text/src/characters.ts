/** Classes of UTF-16 units that a tokenizer treats differently. */
export const SPACE = 0;
const LETTER = 1;
const DIGIT = 2;
const OTHER_LETTER = 3;
export const IDEOGRAPH = 4;
export const MARK = 5;

/** The class of each ASCII character, so that the common case is one table lookup. */
const ascii = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32) return SPACE;
  if ((code >= 48 && code <= 57) || code === 127) return DIGIT;
  if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) return LETTER;
  return MARK;
});

export function classOf(code: number): number {
  if (code < 128) return ascii[code] ?? MARK;
  if (code === 0xa0 || code === 0x3000 || code === 0xfeff || code === 0x1680) return SPACE;
  if (code < 0x250) return LETTER;
  // Kana, Han, Hangul, full-width forms and each half of a surrogate pair (emoji, rare Han).
  if (code >= 0x2e80 && code <= 0xdfff) return IDEOGRAPH;
  if (code >= 0xf900 && code <= 0xfaff) return IDEOGRAPH;
  if (code >= 0xff00) return IDEOGRAPH;
  if ((code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x2029) return SPACE;
  if (code === 0x202f || code === 0x205f) return SPACE;
  if (code >= 0x2000 && code <= 0x2bff) return MARK;
  return OTHER_LETTER;
}

/** Returns whether the UTF-16 unit is white space. */
export function isSpace(code: number): boolean {
  return classOf(code) === SPACE;
}
