import type { DocumentHit, RankedDocument } from '@lectern/vector-store';
import { eachDocumentOnce } from '#search/each-document-once';
import type { RankedModel } from '#search/search-model';

/** The ranking of one embedding model. */
export interface ModelRanking extends RankedModel {
  readonly model: string;
}

/** A ranked document and the ranking that it comes from. */
export interface RankedMatch extends RankedDocument {
  readonly source: ModelRanking;
}

/**
 * Merges the rankings of several models. Scores of all models use the same scale, 0 to 1. The sort
 * is stable: ties keep the order of models and of each model's ranking, so every page is cut from
 * the same list.
 */
export function mergeRankings(rankings: readonly ModelRanking[]): readonly RankedMatch[] {
  const ranked = rankings.flatMap((source) => source.ranking.map((document) => ({ ...document, source })));
  if (rankings.length === 1) return ranked;
  return eachDocumentOnce(ranked.sort((a, b) => b.score - a.score));
}

/** Reads these documents with one request per model, in their order and with their scores. */
export async function readRanked(ranked: readonly RankedMatch[]): Promise<DocumentHit[]> {
  const read = await Promise.all(
    [...Map.groupBy(ranked, ({ source }) => source)].map(([source, entries]) =>
      source.read(entries.map(({ document }) => document)),
    ),
  );
  const hits = new Map(read.flat().map((hit) => [hit.document, hit]));
  return ranked.flatMap(({ document, score }) => {
    const hit = hits.get(document);
    return hit ? [{ ...hit, score }] : [];
  });
}
