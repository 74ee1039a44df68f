import { type SearchFacetedRequest, SearchRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { countFacets } from '#facets/count-facets';
import { languagesOf, withinScope } from '#handlers/caller-scope';
import { readFacets } from '#handlers/read-facets';
import { readSearchRequest } from '#handlers/read-search-request';
import { toSearchResponse } from '#handlers/to-search-response';
import { respell } from '#meaning/respell';
import { searchAsMeant } from '#meaning/search-as-meant';
import { analyzeOperators } from '#query/parse-query';
import { NO_CURATION } from '#rules/curation';
import { curationFor } from '#rules/curation-for';
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
    const [expanded, curation] = await Promise.all([
      withSynonyms(context, analyzed, scope, call),
      search.applyRules ? curationFor(context, analyzed, scope, call) : NO_CURATION,
    ]);
    const asked = { ...checked, ...scope, query: expanded };
    const options = { isReranked: search.rerank ?? true, curation };
    const { found, query, corrections } = await searchAsMeant(context, asked, options, call.signal);
    const facets = await countFacets(context.store, found.matches, fields, maxValues);
    const answer = toSearchResponse(query, found, respell(search.query, corrections), startedAt);
    return { search: answer, facets: facets.map((facet) => ({ ...facet, values: [...facet.values] })) };
  });
};
