import { type AnalyzedQuery, hasUnspacedScript, visitTermsAmong } from '@lectern/text';
import { languageOf, type StoredText } from '#words/hit-texts';

/** A position of a query term in a text. */
export interface Match {
  readonly term: string;
  /** UTF-16 offsets, end exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Returns the distinct terms of a query. */
export function queryTerms({ terms }: AnalyzedQuery): ReadonlySet<string> {
  return new Set(terms.map(({ term }) => term));
}

/**
 * Returns the positions of query terms in a passage, in order. In scripts without spaces a match is
 * the term itself, not the run around it.
 */
export function findMatches(passage: StoredText, terms: ReadonlySet<string>): Match[] {
  const matches: Match[] = [];
  const { text } = passage;
  visitTermsAmong(text, languageOf(passage), terms, (term, start, end) => {
    if (!hasUnspacedScript(term)) matches.push({ term, start, end });
    else matches.push(...occurrences(text, term, start, end));
  });
  return matches.sort((a, b) => a.start - b.start || a.end - b.end);
}

function occurrences(text: string, term: string, from: number, to: number): Match[] {
  const found: Match[] = [];
  for (let at = text.indexOf(term, from); at !== -1 && at + term.length <= to; at = text.indexOf(term, at + 1)) {
    found.push({ term, start: at, end: at + term.length });
  }
  return found;
}
