import { type Language, likelyLanguages } from '@lectern/text';
import type { SourceDocument } from '#citations/source-document';

/** The best passages that can decide the language of an ambiguous question. */
const MAX_PASSAGES = 5;

/**
 * Returns the language of a question, in which it is compared with its sources and answered. If a
 * short question can be in several languages: the one that the person has chosen, then the first
 * language of the best passages that is one of them, then the first of `documentLanguages`, which start
 * with the most frequent one.
 */
export function questionLanguage(
  text: string,
  sources: readonly SourceDocument[],
  documentLanguages: readonly Language[] = [],
  chosen?: Language,
): Language {
  const likely = likelyLanguages(text);
  if (likely.length === 1) return likely[0];
  if (chosen !== undefined && likely.includes(chosen)) return chosen;
  const found = sources.flatMap(({ passages }) => passages.slice(0, 1)).slice(0, MAX_PASSAGES);
  const certain = found.map((passage) => likelyLanguages(passage.text)).filter(({ length }) => length === 1);
  const known = [...certain.map(([language]) => language), ...documentLanguages];
  return known.find((language) => likely.includes(language)) ?? likely[0];
}
