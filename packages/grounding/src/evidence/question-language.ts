import { detectLanguage, type Language, likelyLanguages } from '@lectern/text';
import type { SourceDocument } from '#citations/source-document';

/**
 * The language that a question and its sources are compared in: the question's own; where a few words could be of several, that of the best
 * passage found, if it is one of them.
 */
export function questionLanguage(text: string, sources: readonly SourceDocument[]): Language {
  const likely = likelyLanguages(text);
  const found = sources[0]?.passages[0]?.text;
  if (likely.length === 1 || found === undefined) return likely[0];
  const spoken = detectLanguage(found);
  return likely.includes(spoken) ? spoken : likely[0];
}
