import type { SearchRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { languagesOf, withinScope } from '#handlers/caller-scope';
import { readSearchRequest } from '#handlers/read-search-request';
import { toSearchResponse } from '#handlers/to-search-response';
import { searchAsMeant } from '#meaning/search-as-meant';
import { analyzeOperators } from '#query/parse-query';
import { withSynonyms } from '#synonyms/with-synonyms';

/** Returns documents by relevance. */
export const search = (context: Context) => async (request: SearchRequest, call: ServiceCall) => {
  const startedAt = performance.now();
  const checked = readSearchRequest(request);
  return withinScope(context, request.collectionIds, call, async (scope) => {
    const analyzed = analyzeOperators(checked.query, languagesOf(scope.collections));
    const asked = { ...checked, ...scope, query: await withSynonyms(context, analyzed, scope, call) };
    const { found, query } = await searchAsMeant(context, asked, request.rerank ?? true, call.signal);
    return toSearchResponse(query, found, startedAt);
  });
};
