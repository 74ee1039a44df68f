import { detectLanguage } from '@lectern/text';
import type { DocumentHit } from '@lectern/vector-store';
import { compilePhrase, containsPhrase } from '#match/phrase';

/**
 * Moves the documents that contain one of the phrases in what was found of them to the front, and
 * keeps the order otherwise. Scores belong to positions, so the first document keeps the highest.
 */
export function withPhrasesFirst<Hit extends DocumentHit>(hits: readonly Hit[], phrases: readonly string[]): Hit[] {
  const { true: first = [], false: rest = [] } = Object.groupBy(hits, (hit) => `${containsAny(hit, phrases)}`);
  return [...first, ...rest].map((hit, at) => ({ ...hit, score: hits[at]?.score ?? hit.score }));
}

function containsAny({ payload, passages }: DocumentHit, phrases: readonly string[]): boolean {
  const texts = [payload.title, ...passages.flatMap(({ heading, text }) => [heading, text])];
  return texts.some((text) => {
    const language = detectLanguage(text);
    return phrases.some((words) => {
      const phrase = compilePhrase(words, language);
      return phrase !== undefined && containsPhrase(text, language, phrase);
    });
  });
}
