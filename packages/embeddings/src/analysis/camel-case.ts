/** Where one word ends and the next begins by its capital: `getUser`, `HTTPServer`. Not `PDFs`. */
const HUMP = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}{2}/u;
const WORDS = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu;
const JOINERS = /['’._@\-‑,/]+/;

/** What is longer is encoded data. */
const MAX_LENGTH = 64;
const MIN_LENGTH = 2;

/** Whether a token is written in words that begin with a capital inside it. */
export function isCamelCase(token: string): boolean {
  return HUMP.test(token);
}

/** The words that a token like `getUserById` is written in; none for any other. Single letters are left out. */
export function camelCaseWords(token: string): string[] {
  const pieces = token.split(JOINERS).filter((piece) => piece.length <= MAX_LENGTH && isCamelCase(piece));
  return pieces.flatMap((piece) => piece.match(WORDS) ?? []).filter((word) => word.length >= MIN_LENGTH);
}
