import { detectLanguage, type Language, likelyLanguages } from '@lectern/text';
import type { SourceDocument } from '#citations/source-document';

/**
 * Returns the language in which a question and its sources are compared: the question's language.
 * If that is ambiguous, the language of the best passage, if it is one of the candidates.
 */
export function questionLanguage(text: string, sources: readonly SourceDocument[]): Language {
  const likely = likelyLanguages(text);
  const found = sources[0]?.passages[0]?.text;
  if (likely.length === 1 || found === undefined) return likely[0];
  const detected = detectLanguage(found);
  return likely.includes(detected) ? detected : likely[0];
}
