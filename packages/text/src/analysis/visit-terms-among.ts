import { rulesFor, type TokenTerms, visitTokenTerms } from '#analysis/analyze';
import type { StartChange } from '#analysis/english-forms';
import type { Language } from '#analysis/languages';
import type { SkipWord } from '#analysis/plain-words';

const A = 97;
const Z = 122;
const I = 105;
const Y = 121;
const LETTERS = 26;
/** One place for each second letter, and one for every word and term of the first letter. */
const ROW = LETTERS + 1;
/** Converts an ASCII capital to lower case. */
const SMALL = 32;

/**
 * Visits the tokens of `text` that produce at least one of `terms`, with all terms they produce,
 * like `visitTerms`. Case folding and stemming rarely change the first two letters of a word of the
 * letters a–z: only `y`, two equal ones and the language's `startChanges`. Most words are therefore
 * skipped quickly.
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
  // Whether a stopword is a term depends on the words around it.
  const needsAll = [...terms].some((term) => rulesFor(term, language).stopwords.has(term));
  const { startChanges } = rulesFor('a', language);
  visitTokenTerms(text, language, visit, needsAll ? undefined : skipOthers(terms, startChanges));
}

/** Skips the words of the letters a–z whose terms start with other letters than `terms`. */
function skipOthers(terms: ReadonlySet<string>, changes: readonly StartChange[]): SkipWord {
  const starts = startsOf(terms, changes);
  return (text, start, end) => {
    const first = letterAt(text, start);
    if (isLetter(first) && starts[placeOf(first, letterAt(text, start + 1))] === 1) return false;
    return isPlainWord(text, start, end);
  };
}

/** Terms of fewer letters are compared by the first one only. */
const MIN_LENGTH = 3;

/** Marks the pairs of letters that words with these terms start with, and their first letters. */
function startsOf(terms: ReadonlySet<string>, changes: readonly StartChange[]): Uint8Array {
  const starts = new Uint8Array(LETTERS * ROW);
  for (const term of terms) {
    const first = letterAt(term, 0);
    if (!isLetter(first)) continue;
    starts[placeOf(first, 0)] = 1;
    if (term.length >= MIN_LENGTH) starts[placeOf(first, letterAt(term, 1))] = 1;
    else starts.fill(1, (first - A) * ROW, placeOf(first, 0));
  }
  for (const [word, term] of changes) {
    if (starts[startPlace(term)] === 1) starts[startPlace(word)] = 1;
  }
  return starts;
}

const isLetter = (code: number): boolean => code >= A && code <= Z;
const letterAt = (text: string, at: number): number => text.charCodeAt(at) | SMALL;

/**
 * The place of a pair of letters. English stemming turns `y` into `i` (`dying` is `die`), and Finnish
 * stemming can make one of two equal letters.
 */
function placeOf(first: number, second: number): number {
  const column = isLetter(second) && second !== first ? (second === Y ? I : second) - A : LETTERS;
  return (first - A) * ROW + column;
}

const startPlace = (word: string): number => placeOf(letterAt(word, 0), letterAt(word, 1));

/**
 * Reports whether a word consists only of the letters a–z and is one word: `getUser` contains a
 * second word with another first letter.
 */
function isPlainWord(text: string, start: number, end: number): boolean {
  let hasSmall = false;
  let hasInnerCapital = false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (!isLetter(code | SMALL)) return false;
    if (code >= A) hasSmall = true;
    else if (at > start) hasInnerCapital = true;
  }
  return !(hasSmall && hasInnerCapital);
}
