import type { SearchRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { languagesOf, withinScope } from '#handlers/caller-scope';
import { readSearchRequest } from '#handlers/read-search-request';
import { toSearchResponse } from '#handlers/to-search-response';
import { respell } from '#meaning/respell';
import { searchAsMeant } from '#meaning/search-as-meant';
import { analyzeOperators } from '#query/parse-query';
import { NO_CURATION } from '#rules/curation';
import { curationFor } from '#rules/curation-for';
import { withSynonyms } from '#synonyms/with-synonyms';

/** Returns documents by relevance. */
export const search = (context: Context) => async (request: SearchRequest, call: ServiceCall) => {
  const startedAt = performance.now();
  const checked = readSearchRequest(request);
  return withinScope(context, request.collectionIds, call, async (scope) => {
    const analyzed = analyzeOperators(checked.query, languagesOf(scope.collections));
    const [expanded, curation] = await Promise.all([
      withSynonyms(context, analyzed, scope, call),
      request.applyRules ? curationFor(context, analyzed, scope, call) : NO_CURATION,
    ]);
    const asked = { ...checked, ...scope, query: expanded };
    const options = { isReranked: request.rerank ?? true, curation };
    const { found, query, corrections } = await searchAsMeant(context, asked, options, call.signal);
    return toSearchResponse(query, found, respell(request.query, corrections), startedAt);
  });
};
