import { queryTerms } from '#excerpt/matches';
import type { CheckedRequest } from '#handlers/read-search-request';
import { toSearchResult } from '#handlers/to-search-result';
import type { FoundDocuments } from '#search/search-documents';
import type { SearchableCollection } from '#search/search-query';

/** Maps a page of documents to the contract. */
export function toSearchResponse(
  { query, page, limit }: CheckedRequest,
  { hits, total, hasMore }: FoundDocuments,
  collections: readonly SearchableCollection[],
  startedAt: number,
) {
  const names = new Map(collections.map(({ id, name }) => [id, name]));
  const terms = queryTerms(query.analyzed);
  return {
    results: hits.map((hit) => toSearchResult(hit, names.get(hit.payload.collection) ?? '', terms)),
    page: { page, limit, total, hasMore },
    tookMs: Math.round(performance.now() - startedAt),
  };
}
