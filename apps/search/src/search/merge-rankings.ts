import { eachDocumentOnce } from '#search/each-document-once';
import type { FoundHit, RankedList, ScoredDocument } from '#search/search-model';

/** A ranked document and the ranking that it comes from. */
export interface RankedMatch extends ScoredDocument {
  readonly source: RankedList;
}

/**
 * Merges the rankings of several models. Scores of all models use the same scale, 0 to 1. The sort
 * is stable: ties keep the order of models and of each model's ranking, so every page is cut from
 * the same list.
 */
export function mergeRankings(rankings: readonly RankedList[]): readonly RankedMatch[] {
  const ranked = rankings.flatMap((source) => source.ranking.map((document) => ({ ...document, source })));
  if (rankings.length === 1) return ranked;
  return eachDocumentOnce(
    ranked.sort((a, b) => b.score - a.score),
    ({ key }) => key,
  );
}

/** Reads these documents with one request per model, in their order and with their scores. */
export async function readRanked(ranked: readonly RankedMatch[]): Promise<FoundHit[]> {
  const read = await Promise.all(
    [...Map.groupBy(ranked, ({ source }) => source)].map(([source, entries]) =>
      source.read(entries.map(({ key }) => key)),
    ),
  );
  const hits = new Map(read.flatMap((found) => [...found]));
  return ranked.flatMap(({ key, score, relevance }) => {
    const hit = hits.get(key);
    return hit ? [{ ...hit, score, relevance }] : [];
  });
}
