const LOWER_CASE = /\p{Ll}/u;
const WORD = /\p{L}+/gu;
/** A shorter text in capitals can be an abbreviation: `IT`, `US HR`. */
const FEW_WORDS = 3;

/** Returns whether a text is all in capitals, so that they carry no meaning. */
export function isShouted(text: string): boolean {
  return !LOWER_CASE.test(text) && (text.match(WORD)?.length ?? 0) > FEW_WORDS;
}
