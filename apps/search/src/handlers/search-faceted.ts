import { type SearchFacetedRequest, SearchRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { countFacets } from '#facets/count-facets';
import { answerSearch } from '#handlers/answer-search';
import { withinReach } from '#handlers/reach';
import { readFacets } from '#handlers/read-facets';
import { readSearchRequest } from '#handlers/read-search-request';
import { searchReranked } from '#rerank/search-reranked';

/** Documents by relevance, or all of them newest first, with counts of values over everything that matches. */
export const searchFaceted = (context: Context) => async (request: SearchFacetedRequest, call: ServiceCall) => {
  const startedAt = performance.now();
  const search = request.search ?? SearchRequest.create();
  const checked = readSearchRequest(search, true);
  const { fields, maxValues } = readFacets(request);
  return withinReach(context, search.collectionIds, call, async (reach) => {
    const found = await searchReranked(context, { ...checked, ...reach }, search.rerank ?? true, call.signal);
    const facets = await countFacets(context.store, found.matches, fields, maxValues);
    const answer = answerSearch(checked, found, reach.collections, startedAt);
    return { search: answer, facets: facets.map((facet) => ({ ...facet, values: [...facet.values] })) };
  });
};
