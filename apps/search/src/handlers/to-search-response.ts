import type { PassagePayload } from '@lectern/vector-store';
import { queryTerms } from '#excerpt/matches';
import { toSearchResult } from '#handlers/to-search-result';
import type { FoundDocuments } from '#search/search-documents';
import type { SearchQuery } from '#search/search-query';

/** Maps a page of documents to the contract. */
export function toSearchResponse(
  { query, offset, limit, collections }: SearchQuery,
  { hits, total, hasMore }: FoundDocuments,
  didYouMean: string | undefined,
  startedAt: number,
) {
  const names = new Map(collections.map(({ id, name }) => [id, name]));
  const nameOf = (collection: string) => names.get(collection) ?? '';
  const terms = queryTerms(query.analyzed);
  return {
    results: hits.map((hit) => ({
      ...toSearchResult(hit, nameOf(hit.payload.collection), terms, query.analyzed),
      duplicates: hit.duplicates?.documents.map((payload) => toDuplicate(payload, nameOf)) ?? [],
      duplicateCount: hit.duplicates?.count ?? 0,
    })),
    didYouMean,
    page: { page: offset / limit + 1, limit, total, hasMore },
    tookMs: Math.round(performance.now() - startedAt),
  };
}

function toDuplicate(
  { document, title, url, collection, source, updatedAt }: PassagePayload,
  nameOf: (collection: string) => string,
) {
  return {
    documentId: document,
    title,
    url,
    collectionId: collection,
    collectionName: nameOf(collection),
    source,
    updatedAt: new Date(updatedAt),
  };
}
