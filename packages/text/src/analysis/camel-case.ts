/** Word boundaries at capital letters: `getUser`, `HTTPServer`. Not `PDFs`. */
const HUMP = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}{2}/u;
const WORDS = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu;
const JOINERS = /['’._@\-‑,/]+/;

/** Longer tokens are encoded data. */
const MAX_LENGTH = 64;
const MIN_LENGTH = 2;

/** Reports whether a token contains words that start with a capital letter inside it. */
export function isCamelCase(token: string): boolean {
  return HUMP.test(token);
}

/**
 * Returns the words of a token like `getUserById`; none for other tokens. Single letters are left
 * out.
 */
export function camelCaseWords(token: string): string[] {
  const pieces = token.split(JOINERS).filter((piece) => piece.length <= MAX_LENGTH && isCamelCase(piece));
  return pieces.flatMap((piece) => piece.match(WORDS) ?? []).filter((word) => word.length >= MIN_LENGTH);
}
