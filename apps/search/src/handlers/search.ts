import type { SearchRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { answerSearch } from '#handlers/answer-search';
import { withinReach } from '#handlers/reach';
import { readSearchRequest } from '#handlers/read-search-request';
import { searchReranked } from '#rerank/search-reranked';

/** Documents by relevance. */
export const search = (context: Context) => async (request: SearchRequest, call: ServiceCall) => {
  const startedAt = performance.now();
  const checked = readSearchRequest(request);
  return withinReach(context, request.collectionIds, call, async (reach) => {
    const found = await searchReranked(context, { ...checked, ...reach }, request.rerank ?? true, call.signal);
    return answerSearch(checked, found, reach.collections, startedAt);
  });
};
