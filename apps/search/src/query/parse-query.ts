import { type AnalyzedQuery, analyzeQuery } from '@lectern/text';

/** A parsed query. */
export interface ParsedQuery {
  /** The query without exclusions and without the quotes of phrases. Can be empty. */
  readonly text: string;
  /** The analysis of `text`. */
  readonly analyzed: AnalyzedQuery;
  /** Phrases that a document must contain word for word. */
  readonly phrases: readonly string[];
  /** Words and phrases that a document must not contain. */
  readonly excluded: readonly string[];
}

/** The maximum number of phrases and exclusions of a query; each phrase needs a lookup. */
export const MAX_OPERATORS = 10;

/**
 * `-"…"` or `-word` at the start of a word, or `"…"`. A minus within a word or before anything
 * except a letter or digit is plain text. Typographic quotes count; an unpaired quote is plain
 * text.
 */
const OPERATOR = /(?<![^\s(])-(?:["“„]([^"“”„]*)["”“]|([\p{L}\p{N}][^\s"“”„]*))|["“„]([^"“”„]*)["”“]/gu;

/** Parses a query: `leave "paid time" -draft -"old policy"`. */
export function parseQuery(query: string): ParsedQuery {
  const phrases: string[] = [];
  const excluded: string[] = [];
  const text = query.replace(OPERATOR, (_match, excludedPhrase?: string, excludedWord?: string, phrase?: string) => {
    const without = excludedPhrase ?? excludedWord;
    if (without !== undefined) excluded.push(without.trim());
    else if (phrase !== undefined) phrases.push(phrase.trim());
    return phrase === undefined ? ' ' : ` ${phrase} `;
  });
  return { ...analyzedText(text), phrases: phrases.filter(Boolean), excluded: excluded.filter(Boolean) };
}

/** Returns a query without operators. */
export function literalQuery(query: string): ParsedQuery {
  return { ...analyzedText(query), phrases: [], excluded: [] };
}

function analyzedText(query: string): Pick<ParsedQuery, 'text' | 'analyzed'> {
  const text = query.trim();
  return { text, analyzed: analyzeQuery(text) };
}
