import type { DocumentHit } from '@lectern/vector-store';
import { withNormalizedScores } from '#search/scores';
import type { MatchedDocument, SearchDeps } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';

/** A document of a page, with scores from 0 to 1. */
export interface FoundHit extends DocumentHit {
  /** How well it matches: the same scale for every query. */
  readonly relevance: number;
}

/** Reads the passages of these documents, in the same order. */
export async function readPage(
  { store }: Pick<SearchDeps, 'store'>,
  { team, collections, principals, mode, passagesPerDocument }: SearchQuery,
  documents: readonly MatchedDocument[],
  signal: AbortSignal,
): Promise<FoundHit[]> {
  const scope = { team, collections: collections.map(({ id }) => id), principals };
  const read = await Promise.all(
    [...Map.groupBy(documents, ({ model }) => model)].map(([model, members]) =>
      store.readHits(model, { ...scope, documents: members, passagesPerDocument, signal }),
    ),
  );
  const hits = new Map(read.flat().map((hit) => [hit.document, hit]));
  return documents.flatMap(({ document, score, relevance }) => {
    const hit = hits.get(document);
    return hit ? [{ ...withNormalizedScores(mode, hit), score, relevance }] : [];
  });
}
