import type { SearchDocsSiteRequest } from '@lectern/contracts';
import { type Issue, invalidRequest, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { searchDocsSite as find } from '#docs-site/search-docs-site';
import { type CallerScope, languagesOf, withinScope } from '#handlers/caller-scope';
import { toSearchResult } from '#handlers/to-search-result';
import { SEARCH_LIMITS } from '#limits';
import { analyzeOperators, literally } from '#query/parse-query';
import { mergePins, NO_CURATION } from '#rules/curation';
import { curationFor } from '#rules/curation-for';
import { readPins } from '#rules/read-pins';
import type { FoundDocument } from '#search/search-documents';
import type { SearchQuery } from '#search/search-query';

/** Returns documents for the text typed into a search box so far. */
export const searchDocsSite = (context: Context) => async (request: SearchDocsSiteRequest, call: ServiceCall) => {
  const startedAt = performance.now();
  const typed = readRequest(request);
  return withinScope(context, request.collectionIds, call, async (scope) => {
    const languages = languagesOf(scope.collections);
    const query = analyzeOperators(literally(typed.text), languages);
    const { pins, hidden } = request.applyRules ? await curationFor(context, query, scope, call) : NO_CURATION;
    const except = [...hidden, ...pins.map(({ document }) => document)];
    const [{ hits, terms }, pinned] = await Promise.all([
      find(context, { ...typed, ...scope, languages, except }, call.signal),
      pins.length === 0 ? [] : readPinned(context, scope, { query, limit: typed.limit, except: hidden }, pins, call),
    ]);
    const page = { offset: 0, end: typed.limit };
    const names = new Map(scope.collections.map(({ id, name }) => [id, name]));
    return {
      results: mergePins<FoundDocument>(page, pinned, hits, hits.length).map((hit) =>
        toSearchResult(hit, names.get(hit.payload.collection) ?? '', terms),
      ),
      tookMs: Math.round(performance.now() - startedAt),
    };
  });
};

async function readPinned(
  context: Context,
  scope: CallerScope,
  query: Pick<SearchQuery, 'query' | 'limit' | 'except'>,
  pins: Parameters<typeof readPins>[2],
  { signal }: ServiceCall,
) {
  const search: SearchQuery = {
    ...scope,
    ...query,
    filter: undefined,
    facetFilters: new Map(),
    mode: 'keyword',
    offset: 0,
    minScore: undefined,
    passagesPerDocument: SEARCH_LIMITS.passagesPerDocument.default,
  };
  const pinned = await readPins(context, search, pins, signal);
  return pinned.pins.map((pin) => ({ ...pin, hit: { ...pin.hit, isPinned: true } }));
}

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
