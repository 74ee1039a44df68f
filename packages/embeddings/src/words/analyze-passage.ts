import { type Language, passageLanguage, visitIndexTerms } from '@lectern/text';

/** A passage to index. `heading` is the path of headings above it, joined in any way. */
export interface PassageText {
  readonly title?: string | undefined;
  readonly heading?: string | undefined;
  readonly text: string;
}

/** How often each term occurs in a field. */
export type TermCounts = ReadonlyMap<string, number>;

/**
 * The language of a passage's text, and the terms of its fields in that language. Everything that
 * is stored about the words of a passage is derived from one analysis.
 */
export interface AnalyzedPassage {
  readonly language: Language;
  /** Whether the collection's languages include it: not if it is only a guess. */
  readonly isLanguageListed: boolean;
  readonly title: TermCounts;
  readonly heading: TermCounts;
  readonly text: TermCounts;
}

export function analyzePassage({ title = '', heading = '', text }: PassageText): AnalyzedPassage {
  const { language, isListed } = passageLanguage(text);
  return {
    language,
    isLanguageListed: isListed,
    title: countTerms(title, language),
    heading: countTerms(heading, language),
    text: countTerms(text, language),
  };
}

const NO_TERMS: TermCounts = new Map();

function countTerms(text: string, language: Language): TermCounts {
  if (text === '') return NO_TERMS;
  const counts = new Map<string, number>();
  visitIndexTerms(text, language, (term) => counts.set(term, (counts.get(term) ?? 0) + 1));
  return counts;
}
