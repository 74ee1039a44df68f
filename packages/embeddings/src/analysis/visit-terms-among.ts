import { termsOfToken } from '#analysis/analyze';
import type { Language } from '#analysis/languages';
import { scanTokens } from '#analysis/scan-tokens';

const A = 97;
const Z = 122;
/** What makes a small letter of an ASCII capital. */
const SMALL = 32;

/**
 * Walks the tokens of `text` that give at least one of `terms`, with all the terms they give. Neither case folding nor a stemmer changes the first letter of
 * a word of the letters a–z, so most words are passed over at a glance.
 */
export function visitTokensWith(
  text: string,
  language: Language,
  terms: ReadonlySet<string>,
  visit: (given: readonly string[], start: number, end: number) => void,
): void {
  const initials = initialsOf(terms);
  scanTokens(text, (token, start, end) => {
    if (!initials[token.charCodeAt(0) | SMALL] && isPlainWord(token)) return;
    const given = termsOfToken(token, language);
    if (given.some((term) => terms.has(term))) visit(given, start, end);
  });
}

/**
 * Walks those index terms of `text` that are among `terms`: what `visitTerms` gives of them, in the same order, for a fraction of its cost.
 */
export function visitTermsAmong(
  text: string,
  language: Language,
  terms: ReadonlySet<string>,
  visit: (term: string, start: number, end: number) => void,
): void {
  visitTokensWith(text, language, terms, (given, start, end) => {
    for (const term of given) if (terms.has(term)) visit(term, start, end);
  });
}

/** 1 for each small letter a–z that begins a term. */
function initialsOf(terms: ReadonlySet<string>): Uint8Array {
  const initials = new Uint8Array(Z + 1);
  for (const term of terms) {
    const initial = term.charCodeAt(0);
    if (initial <= Z) initials[initial] = 1;
  }
  return initials;
}

/** Whether a token is made of the letters a–z alone, capital or small. */
function isPlainWord(token: string): boolean {
  for (let at = 0; at < token.length; at++) {
    const letter = token.charCodeAt(at) | SMALL;
    if (letter < A || letter > Z) return false;
  }
  return true;
}
