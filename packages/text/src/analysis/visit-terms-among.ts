import { type TokenTerms, visitTokenTerms } from '#analysis/analyze';
import { LANGUAGES, type Language } from '#analysis/languages';

const A = 97;
const Z = 122;
/** Converts an ASCII capital to lower case. */
const SMALL = 32;

/**
 * Visits the tokens of `text` that produce at least one of `terms`, with all terms they produce,
 * like `visitTerms`. Neither case folding nor stemming changes the first letter of a word of the
 * letters a–z, so most words are skipped quickly.
 */
export function visitTokensWith(
  text: string,
  language: Language,
  terms: ReadonlySet<string>,
  visit: (tokenTerms: readonly string[], start: number, end: number) => void,
): void {
  visitTokens(text, language, terms, ({ terms: tokenTerms }, start, end) => {
    if (tokenTerms.some((term) => terms.has(term))) visit(tokenTerms, start, end);
  });
}

/**
 * Visits the index terms of `text` that are in `terms`, in the same order as `visitIndexTerms` and
 * much faster.
 */
export function visitTermsAmong(
  text: string,
  language: Language,
  terms: ReadonlySet<string>,
  visit: (term: string, start: number, end: number) => void,
): void {
  visitTokens(text, language, terms, ({ indexed }, start, end) => {
    for (const term of indexed) if (terms.has(term)) visit(term, start, end);
  });
}

function visitTokens(
  text: string,
  language: Language,
  terms: ReadonlySet<string>,
  visit: (token: TokenTerms, start: number, end: number) => void,
): void {
  const { stopwords } = LANGUAGES[language];
  // Whether a stopword is a term depends on the words around it.
  const needsAll = [...terms].some((term) => stopwords.has(term));
  const initials = initialsOf(terms);
  const isSkipped = (token: string) => !initials[token.charCodeAt(0) | SMALL] && isPlainWord(token);
  visitTokenTerms(text, language, visit, needsAll ? undefined : isSkipped);
}

/** Returns 1 for each letter a–z that starts a term. */
function initialsOf(terms: ReadonlySet<string>): Uint8Array {
  const initials = new Uint8Array(Z + 1);
  for (const term of terms) {
    const initial = term.charCodeAt(0) | SMALL;
    if (initial <= Z) initials[initial] = 1;
  }
  return initials;
}

/**
 * Reports whether a token consists only of the letters a–z and is one word: `getUser` contains a
 * second word with another first letter.
 */
function isPlainWord(token: string): boolean {
  let hasSmall = false;
  let hasInnerCapital = false;
  for (let at = 0; at < token.length; at++) {
    const code = token.charCodeAt(at);
    const letter = code | SMALL;
    if (letter < A || letter > Z) return false;
    if (code >= A) hasSmall = true;
    else if (at > 0) hasInnerCapital = true;
  }
  return !(hasSmall && hasInnerCapital);
}
