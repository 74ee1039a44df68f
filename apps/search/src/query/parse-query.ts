/** A query taken apart by its operators. */
export interface ParsedQuery {
  /** What is searched for: everything but exclusions, phrases without their quotes. May be empty. */
  readonly text: string;
  /** What has to stand in a document word by word. */
  readonly phrases: readonly string[];
  /** Words and phrases that must not stand in it. */
  readonly excluded: readonly string[];
}

/** Most phrases and exclusions of a query; each phrase is looked up by itself. */
export const MAX_OPERATORS = 10;

/**
 * `-"…"` or `-word` at the start of a word, or `"…"`. A minus before anything but a letter or digit is plain text, and so is one inside a word.
 * Typographic quotes count; an unpaired quote is plain text.
 */
const OPERATOR = /(?<![^\s(])-(?:["“„]([^"“”„]*)["”“]|([\p{L}\p{N}][^\s"“”„]*))|["“„]([^"“”„]*)["”“]/gu;

/** Takes a query apart: `leave "paid time" -draft -"old policy"`. */
export function parseQuery(query: string): ParsedQuery {
  const phrases: string[] = [];
  const excluded: string[] = [];
  const text = query.replace(OPERATOR, (_match, excludedPhrase?: string, excludedWord?: string, phrase?: string) => {
    const without = excludedPhrase ?? excludedWord;
    if (without !== undefined) excluded.push(without.trim());
    else if (phrase !== undefined) phrases.push(phrase.trim());
    return phrase === undefined ? ' ' : ` ${phrase} `;
  });
  return { text: text.trim(), phrases: phrases.filter(Boolean), excluded: excluded.filter(Boolean) };
}

/** A query without operators, whatever stands in it. */
export function literalQuery(query: string): ParsedQuery {
  return { text: query.trim(), phrases: [], excluded: [] };
}
