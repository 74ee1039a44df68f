const ASCII_LOWER = /^[a-z0-9]*$/;
const COMBINING_MARKS = /\p{M}+/gu;
const LATIN = /\p{Script=Latin}/u;

/** Latin letters with a stroke or made of two letters, which Unicode does not decompose. */
const UNDECOMPOSED: Readonly<Record<string, string>> = { ø: 'o', æ: 'ae', œ: 'oe', đ: 'd', ł: 'l', ı: 'i' };
const ANY_UNDECOMPOSED = /[øæœđłı]/g;

/** A suffix that Turkish separates from a proper noun: `Ankara'da`. */
const TURKISH_SUFFIX = /(?<=\p{L}{2})['’]\p{L}{1,6}$/u;

/**
 * Applies NFKC, then full case folding: converting to upper case first also unifies letters that
 * differ in lower case (ß and SS, σ and ς).
 */
export function normalizeToken(token: string): string {
  return ASCII_LOWER.test(token) ? token : token.normalize('NFKC').toUpperCase().toLowerCase();
}

/**
 * Normalizes a Turkish token, where `I` is the capital of `ı`, and removes the suffix of a proper
 * noun.
 */
export function normalizeTurkishToken(token: string): string {
  if (ASCII_LOWER.test(token)) return token;
  const lower = token.normalize('NFKC').replaceAll('I', 'ı').replaceAll('İ', 'i').toLowerCase();
  return lower.replace(TURKISH_SUFFIX, '');
}

/**
 * Removes the accents of Latin letters, so that `café` and `cafe` are one term. Runs after
 * stemming, because stemmers need the accents. Other scripts keep their marks, which are often
 * vowels.
 */
export function foldAccents(term: string): string {
  if (ASCII_LOWER.test(term) || !LATIN.test(term)) return term;
  const plain = term.normalize('NFD').replace(COMBINING_MARKS, '').normalize('NFC');
  return plain.replace(ANY_UNDECOMPOSED, (letter) => UNDECOMPOSED[letter] ?? letter);
}
