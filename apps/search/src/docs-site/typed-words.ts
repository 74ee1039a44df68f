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

/** Typed words that documents are compared with. What is typed into a search box has far fewer. */
const MAX_WORDS = 32;

/**
 * The words to look for: the first 31 different ones and the last. The last one is unfinished unless a blank follows it; stopwords are left out, but for an unfinished one and where there is
 * nothing else.
 */
export function typedWords(query: string): readonly TypedWord[] {
  const matches = [...query.matchAll(WORDS)];
  const last = matches.at(-1);
  const firsts = new Map(matches.slice(0, -1).map((match) => [match[0], match]));
  const chosen = [...[...firsts.values()].slice(0, MAX_WORDS - 1), ...(last === undefined ? [] : [last])];
  const found = chosen.map((match) => {
    const terms = new Set<string>();
    visitQueryTerms(match[0], ({ term }) => terms.add(term));
    return { word: fold(match[0]), terms, unfinished: match.index + match[0].length === query.length };
  });
  const telling = found.filter(({ terms, unfinished }) => terms.size > 0 || unfinished);
  return telling.length > 0 ? telling : found;
}
