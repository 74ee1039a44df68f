import { visitQueryTerms } from '@lectern/embeddings';

/** A word of a query as typed so far. */
export interface TypedWord {
  /** Folded: small letters without accents. */
  readonly word: string;
  /** The terms it stands for in the index; none for a stopword. */
  readonly terms: ReadonlySet<string>;
  /** Whether more of it may follow. */
  readonly unfinished: boolean;
}

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
const MARKS = /\p{M}+/gu;

/** Small letters without accents, whatever the form they came in. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFD').replace(MARKS, '');
}

/**
 * The words to look for. The last one is unfinished unless a blank follows it; stopwords are left out, but for an unfinished one and where there is
 * nothing else.
 */
export function typedWords(query: string): readonly TypedWord[] {
  const found = [...query.matchAll(WORDS)].map((match) => {
    const terms = new Set<string>();
    visitQueryTerms(match[0], ({ term }) => terms.add(term));
    return { word: fold(match[0]), terms, unfinished: match.index + match[0].length === query.length };
  });
  const telling = found.filter(({ terms, unfinished }) => terms.size > 0 || unfinished);
  return telling.length > 0 ? telling : found;
}
