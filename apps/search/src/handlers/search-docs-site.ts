import type { SearchDocsSiteRequest } from '@lectern/contracts';
import { type Issue, invalidRequest, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { searchDocsSite as find } from '#docs-site/search-docs-site';
import { languagesOf, withinScope } from '#handlers/caller-scope';
import { toSearchResult } from '#handlers/to-search-result';
import { SEARCH_LIMITS } from '#limits';

/** Returns documents for the text typed into a search box so far. */
export const searchDocsSite = (context: Context) => async (request: SearchDocsSiteRequest, call: ServiceCall) => {
  const startedAt = performance.now();
  const query = readRequest(request);
  return withinScope(context, request.collectionIds, call, async (scope) => {
    const { hits, terms } = await find(
      context,
      { ...query, ...scope, languages: languagesOf(scope.collections) },
      call.signal,
    );
    const names = new Map(scope.collections.map(({ id, name }) => [id, name]));
    return {
      results: hits.map((hit) => toSearchResult(hit, names.get(hit.payload.collection) ?? '', terms)),
      tookMs: Math.round(performance.now() - startedAt),
    };
  });
};

function readRequest({ query, limit }: SearchDocsSiteRequest): { readonly text: string; readonly limit: number } {
  const issues: Issue[] = [];
  if (query.trim() === '') issues.push({ path: 'query', message: 'must not be empty' });
  if ([...query].length > SEARCH_LIMITS.query) {
    issues.push({ path: 'query', message: `must have at most ${SEARCH_LIMITS.query} characters` });
  }
  if (issues.length > 0) throw invalidRequest(issues);
  return {
    text: query,
    limit: limit < 1 ? SEARCH_LIMITS.page.default : Math.min(limit, SEARCH_LIMITS.page.max),
  };
}
