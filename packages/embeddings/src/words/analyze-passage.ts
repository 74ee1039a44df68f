import { type Language, passageLanguage, visitIndexTerms } from '@lectern/text';
import { PairCounter } from '#words/pair-counter';

/** A passage to index. `heading` is the path of headings above it, joined in any way. */
export interface PassageText {
  readonly title?: string | undefined;
  readonly heading?: string | undefined;
  readonly text: string;
}

/** How often each term occurs in a field. */
export type TermCounts = ReadonlyMap<string, number>;

/** How often each pair of adjacent terms occurs in a field, by `pairDimension`. */
type PairCounts = ReadonlyMap<number, number>;

/**
 * The language of a passage's text, and the terms of its fields in that language. Everything that
 * is stored about the words of a passage is derived from one analysis.
 */
export interface AnalyzedPassage {
  readonly language: Language;
  readonly title: TermCounts;
  readonly heading: TermCounts;
  readonly text: TermCounts;
  readonly pairs: { readonly title: PairCounts; readonly heading: PairCounts; readonly text: PairCounts };
}

export function analyzePassage({ title = '', heading = '', text }: PassageText): AnalyzedPassage {
  const language = passageLanguage(text);
  const fields = {
    title: countTerms(title, language),
    heading: countTerms(heading, language),
    text: countTerms(text, language),
  };
  return {
    language,
    title: fields.title.terms,
    heading: fields.heading.terms,
    text: fields.text.terms,
    pairs: { title: fields.title.pairs, heading: fields.heading.pairs, text: fields.text.pairs },
  };
}

interface FieldCounts {
  readonly terms: TermCounts;
  readonly pairs: PairCounts;
}

const EMPTY: FieldCounts = { terms: new Map(), pairs: new Map() };

function countTerms(text: string, language: Language): FieldCounts {
  if (text === '') return EMPTY;
  const terms = new Map<string, number>();
  const pairs = new PairCounter();
  visitIndexTerms(text, language, (term, start) => {
    terms.set(term, (terms.get(term) ?? 0) + 1);
    pairs.add(term, start);
  });
  return { terms, pairs: pairs.counts };
}
