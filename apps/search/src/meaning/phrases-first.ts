import { type Pausable, runInSlices } from '@lectern/resilience';
import type { DocumentHit } from '@lectern/vector-store';
import { containsPhrase, type PhraseInLanguage, phraseCompiler } from '#match/phrase';
import type { Reordering } from '#rerank/search-reordered';
import { FOUND_PASSAGES, textsOfHit } from '#words/hit-texts';

/**
 * Moves the documents that contain one of the phrases in what was found of them to the front, and
 * keeps the order otherwise. Scores belong to positions, so the first document keeps the highest.
 */
export function phrasesFirst(phrases: readonly string[]): Reordering {
  return {
    passagesPerDocument: FOUND_PASSAGES,
    async reorder(hits, signal) {
      const matching = await runInSlices(hitsWithAny(hits, phrases.map(phraseCompiler)), signal);
      const { true: first = [], false: rest = [] } = Object.groupBy(hits, (hit) => `${matching.has(hit)}`);
      return [...first, ...rest].map((hit, at) => ({ ...hit, score: hits[at]?.score ?? hit.score }));
    },
  };
}

function* hitsWithAny<Hit extends DocumentHit>(
  hits: readonly Hit[],
  phrases: readonly PhraseInLanguage[],
): Pausable<ReadonlySet<Hit>> {
  const matching = new Set<Hit>();
  for (const hit of hits) if (yield* containsAny(hit, phrases)) matching.add(hit);
  return matching;
}

function* containsAny(hit: DocumentHit, phrases: readonly PhraseInLanguage[]): Pausable<boolean> {
  for (const { text, language } of textsOfHit(hit)) {
    for (const inLanguage of phrases) {
      const phrase = inLanguage(language);
      if (phrase !== undefined && containsPhrase(text, language, phrase)) return true;
      yield;
    }
  }
  return false;
}
