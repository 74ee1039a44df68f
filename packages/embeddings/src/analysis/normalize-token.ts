const ASCII_LOWER = /^[a-z0-9]*$/;
const COMBINING_MARKS = /\p{M}+/gu;
const LATIN = /\p{Script=Latin}/u;

/**
 * NFKC, then a full case fold: the way over upper case also brings together what lower case alone keeps apart (ß and SS, σ and ς).
 */
export function normalizeToken(token: string): string {
  return ASCII_LOWER.test(token) ? token : token.normalize('NFKC').toUpperCase().toLowerCase();
}

/**
 * Leaves out the accents of Latin letters, so that `café` and `cafe` are one term. Done after stemming, since stemmers need the accents; other
 * scripts keep their marks, which are often vowels.
 */
export function foldAccents(term: string): string {
  if (ASCII_LOWER.test(term) || !LATIN.test(term)) return term;
  return term.normalize('NFD').replace(COMBINING_MARKS, '').normalize('NFC');
}
