import type { SearchRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { withinScope } from '#handlers/caller-scope';
import { readSearchRequest } from '#handlers/read-search-request';
import { toSearchResponse } from '#handlers/to-search-response';
import { searchReranked } from '#rerank/search-reranked';
import { withSynonyms } from '#synonyms/with-synonyms';

/** Returns documents by relevance. */
export const search = (context: Context) => async (request: SearchRequest, call: ServiceCall) => {
  const startedAt = performance.now();
  const checked = readSearchRequest(request);
  return withinScope(context, request.collectionIds, call, async (scope) => {
    const query = await withSynonyms(context, checked.query, scope, call);
    const expanded = { ...checked, query };
    const found = await searchReranked(context, { ...expanded, ...scope }, request.rerank ?? true, call.signal);
    return toSearchResponse(expanded, found, scope.collections, startedAt);
  });
};
