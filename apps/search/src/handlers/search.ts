import type { SearchRequest } from '@lectern/contracts';
import { onBehalfOf, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { queryTerms } from '#excerpt/matches';
import { readSearchRequest } from '#handlers/read-search-request';
import { toSearchResult } from '#handlers/to-search-result';
import { principalsOf } from '#search/principals';
import { searchDocuments } from '#search/search-documents';

/** Documents by relevance. Collections are resolved for each request, so that a deletion or a change of scope counts at once. */
export const search = (context: Context) => async (request: SearchRequest, call: ServiceCall) => {
  const started = performance.now();
  const checked = readSearchRequest(request);
  const { collections } = await context.collections.resolveCollections(
    { ids: [...new Set(request.collectionIds)] },
    onBehalfOf(call),
  );
  const reach = { team: call.caller.teamId, collections, principals: principalsOf(call.caller.userEmail) };
  const { hits, total, hasMore } = await searchDocuments(context, { ...checked, ...reach }, call.signal);
  const names = new Map(collections.map(({ id, name }) => [id, name]));
  const terms = queryTerms(checked.text);
  return {
    results: hits.map((hit) => toSearchResult(hit, names.get(hit.payload.collection) ?? '', terms)),
    page: { page: checked.page, limit: checked.limit, total, hasMore },
    tookMs: Math.round(performance.now() - started),
  };
};
