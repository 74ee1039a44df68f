import { search } from '@lectern/api-spec';
import { onBehalfOf } from '@lectern/service-kit';
import { data, page } from '#http/api-response';
import { searchFacet, searchResult, toSearchRequest } from '#operations/search/mapping';
import { type KeyedCall, route } from '#pipeline/operation';
import { recordSearch } from '#search-log/record-search';

/**
 * People see what others in their team searched for. Visitors of a website, customers and keys for some
 * collections do not.
 */
const seesPopularQueries = ({ caller: { scope, userEmail }, kind, key }: KeyedCall): boolean =>
  scope.kind === 'all' && (key.person !== undefined || (kind === 'secret' && userEmail === undefined));

export const searchRoutes = [
  route(search.searchDocuments, async (ctx, { body }, call) => {
    const response = await ctx.clients.search.search(toSearchRequest(body), onBehalfOf(call));
    const { tookMs, didYouMean = null } = response;
    const queryId = recordSearch(ctx, call, body, response);
    const results = response.results.map(searchResult);
    return page({ query: body.query, queryId, didYouMean, results, tookMs }, response.page);
  }),

  route(search.searchFaceted, async (ctx, { body: { facets, maxFacetValues, ...body } }, call) => {
    const request = { search: toSearchRequest(body), facets, maxFacetValues };
    const response = await ctx.clients.search.searchFaceted(request, onBehalfOf(call));
    const { results = [], tookMs = 0, didYouMean = null, page: info } = response.search ?? {};
    const queryId = recordSearch(ctx, call, body, { results, page: info });
    const found = { query: body.query, queryId, didYouMean, results: results.map(searchResult) };
    return page({ ...found, facets: response.facets.map(searchFacet), tookMs }, info);
  }),

  route(search.searchDocsSite, async (ctx, { body: { query, limit, collections, rules } }, call) => {
    const request = { query, collectionIds: collections ?? [], limit, applyRules: rules };
    const response = await ctx.clients.search.searchDocsSite(request, onBehalfOf(call));
    const queryId = recordSearch(ctx, call, { query, collections }, response);
    const results = response.results.map(searchResult);
    return data({ query, queryId, didYouMean: null, results, tookMs: response.tookMs });
  }),

  route(search.suggestQueries, async (ctx, { body: { query, collections, limit } }, call) => {
    const candidates = seesPopularQueries(call) ? ctx.popularQueries.startingWith(call.caller.teamId, query) : [];
    const request = { query, collectionIds: collections ?? [], limit, candidates: [...candidates] };
    const { suggestions } = await ctx.clients.search.suggestQueries(request, onBehalfOf(call));
    return data({
      query,
      suggestions: suggestions.map(({ text, documentId }) => ({
        text,
        kind: documentId === undefined ? 'query' : 'title',
        documentId: documentId ?? null,
      })),
    });
  }),
];
