import type { DocumentHit } from '@lectern/vector-store';
import { eachDocumentOnce } from '#search/each-document-once';
import type { RankedModel, ScoredDocument } from '#search/search-model';

/** A document of a page. */
export interface FoundHit extends DocumentHit {
  /** How well it matches, from 0 to 1: the same scale for every query. */
  readonly relevance: number;
}

/** A ranked document and the ranking that it comes from. */
export interface RankedMatch extends ScoredDocument {
  readonly source: RankedModel;
}

/**
 * Merges the rankings of several models. Scores of all models use the same scale, 0 to 1. The sort
 * is stable: ties keep the order of models and of each model's ranking, so every page is cut from
 * the same list.
 */
export function mergeRankings(rankings: readonly RankedModel[]): readonly RankedMatch[] {
  const ranked = rankings.flatMap((source) => source.ranking.map((document) => ({ ...document, source })));
  if (rankings.length === 1) return ranked;
  return eachDocumentOnce(ranked.sort((a, b) => b.score - a.score));
}

/** Reads these documents with one request per model, in their order and with their scores. */
export async function readRanked(ranked: readonly RankedMatch[]): Promise<FoundHit[]> {
  const read = await Promise.all(
    [...Map.groupBy(ranked, ({ source }) => source)].map(([source, entries]) =>
      source.read(entries.map(({ document }) => document)),
    ),
  );
  const hits = new Map(read.flat().map((hit) => [hit.document, hit]));
  return ranked.flatMap(({ document, score, relevance }) => {
    const hit = hits.get(document);
    return hit ? [{ ...hit, score, relevance }] : [];
  });
}
