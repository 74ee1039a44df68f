import { type Language, visitTerms, visitTokensWith } from '@lectern/text';

/** A phrase as a sequence of index terms, with the stopwords before, between and after them. */
export interface Phrase {
  readonly terms: readonly string[];
  readonly distinct: ReadonlySet<string>;
  /** One more than terms. */
  readonly between: readonly string[];
}

/** The terms of a text in order, with their positions. */
interface Sequence {
  readonly terms: string[];
  readonly starts: number[];
  readonly ends: number[];
}

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Compiles a phrase for a language; undefined for a phrase of stopwords, which cannot be searched.
 */
export function compilePhrase(phrase: string, language: Language): Phrase | undefined {
  const sequence = emptySequence();
  visitTerms(phrase, language, (term, start, end) => append(sequence, term, start, end));
  if (sequence.terms.length === 0) return undefined;
  const between = Array.from({ length: sequence.terms.length + 1 }, (_, at) => wordsBetween(phrase, sequence, at));
  return { terms: sequence.terms, distinct: new Set(sequence.terms), between };
}

/** Returns a phrase compiled for a language. */
export type PhraseInLanguage = (language: Language) => Phrase | undefined;

/** Compiles the phrase for each language once. */
export function phraseCompiler(phrase: string): PhraseInLanguage {
  const known = new Map<Language, Phrase | undefined>();
  return (language) => {
    if (!known.has(language)) known.set(language, compilePhrase(phrase, language));
    return known.get(language);
  };
}

/**
 * Returns whether a text contains the phrase: its words in the same order with nothing between
 * them, ignoring case, accents and inflection. Stopwords must match too. Only words with a term of
 * the phrase are analyzed; other words are compared as text.
 */
export function containsPhrase(text: string, language: Language, phrase: Phrase): boolean {
  const { terms, distinct } = phrase;
  const sequence = emptySequence();
  visitTokensWith(text, language, distinct, (tokenTerms, start, end) => {
    for (const term of tokenTerms) append(sequence, term, start, end);
  });
  const last = sequence.terms.length - terms.length;
  for (let at = 0; at <= last; at++) {
    if (terms.every((term, i) => sequence.terms[at + i] === term) && stopwordsAgree(text, sequence, at, phrase)) {
      return true;
    }
  }
  return false;
}

function stopwordsAgree(text: string, sequence: Sequence, at: number, { terms, between }: Phrase): boolean {
  for (let i = 0; i <= terms.length; i++) {
    const here = wordsBetween(text, sequence, at + i);
    const expected = between[i] ?? '';
    const agrees =
      i === 0 ? here.endsWith(expected) : i === terms.length ? here.startsWith(expected) : here === expected;
    if (!agrees) return false;
  }
  return true;
}

/**
 * Returns the words before the term at `at` that are not terms themselves, with a space before and
 * after each.
 */
function wordsBetween(text: string, { starts, ends }: Sequence, at: number): string {
  const from = ends[at - 1] ?? 0;
  const to = starts[at] ?? text.length;
  // Terms of one token, for example the bigrams of a script without spaces, have no text between
  // them.
  if (from >= to) return '';
  const words = text.slice(from, to).normalize('NFKC').toLowerCase().match(WORDS) ?? [];
  return words.map((word) => `|${word}|`).join('');
}

const emptySequence = (): Sequence => ({ terms: [], starts: [], ends: [] });

function append({ terms, starts, ends }: Sequence, term: string, start: number, end: number): void {
  terms.push(term);
  starts.push(start);
  ends.push(end);
}
