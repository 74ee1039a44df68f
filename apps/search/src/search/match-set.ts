import { isSimilar, type Similarity, semanticRelevance } from '@lectern/embeddings';
import type { FoundPassage, Probes } from '@lectern/vector-store';

/** The maximum number of passages whose documents match by meaning. */
const MAX_NEAREST = 200;

/**
 * Returns the keys of the documents that match by meaning, with their relevance: those of the nearest passages
 * of the whole scope that are similar enough for their model.
 */
export function semanticMatches(
  nearest: Probes['nearest'],
  similarities: ReadonlyMap<string | undefined, Similarity>,
): ReadonlyMap<string, number> {
  const similar = nearest.flatMap(({ space, passages }) => {
    const similarity = similarities.get(space);
    const best = passages[0]?.score ?? 0;
    if (similarity === undefined) return [];
    return passages
      .filter(({ score }) => isSimilar(score, best, similarity))
      .map(({ key, score }) => ({ key, score, relevance: semanticRelevance(score, similarity) }));
  });
  const matches = new Map<string, number>();
  for (const { key, relevance } of similar.sort((a, b) => b.score - a.score).slice(0, MAX_NEAREST)) {
    matches.set(key, Math.max(matches.get(key) ?? 0, relevance));
  }
  return matches;
}

/** Returns the best score of each document by key, best first. */
export function bestScores(passages: readonly FoundPassage[]): ReadonlyMap<string, number> {
  const best = new Map<string, number>();
  for (const { key, score } of passages) if (!best.has(key)) best.set(key, score);
  return best;
}
