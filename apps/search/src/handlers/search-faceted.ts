import { type SearchFacetedRequest, SearchRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { countFacets } from '#facets/count-facets';
import { languagesOf, withinScope } from '#handlers/caller-scope';
import { readFacets } from '#handlers/read-facets';
import { readSearchRequest } from '#handlers/read-search-request';
import { toSearchResponse } from '#handlers/to-search-response';
import { searchAsMeant } from '#meaning/search-as-meant';
import { analyzeOperators } from '#query/parse-query';
import { withSynonyms } from '#synonyms/with-synonyms';

/**
 * Returns documents by relevance, or all of them newest first, with counts of values over all
 * matches.
 */
export const searchFaceted = (context: Context) => async (request: SearchFacetedRequest, call: ServiceCall) => {
  const startedAt = performance.now();
  const search = request.search ?? SearchRequest.create();
  const checked = readSearchRequest(search, true);
  const { fields, maxValues } = readFacets(request);
  return withinScope(context, search.collectionIds, call, async (scope) => {
    const analyzed = analyzeOperators(checked.query, languagesOf(scope.collections));
    const asked = { ...checked, ...scope, query: await withSynonyms(context, analyzed, scope, call) };
    const { found, query } = await searchAsMeant(context, asked, search.rerank ?? true, call.signal);
    const facets = await countFacets(context.store, found.matches, fields, maxValues);
    const answer = toSearchResponse(query, found, startedAt);
    return { search: answer, facets: facets.map((facet) => ({ ...facet, values: [...facet.values] })) };
  });
};
