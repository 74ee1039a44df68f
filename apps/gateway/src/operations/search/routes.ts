import { search } from '@lectern/api-spec';
import { onBehalfOf } from '@lectern/service-kit';
import { data, page } from '#http/api-response';
import { searchFacet, searchResult, toSearchRequest } from '#operations/search/mapping';
import { route } from '#pipeline/operation';
import { recordSearch } from '#search-log/record-search';

export const searchRoutes = [
  route(search.searchDocuments, async (ctx, { body }, call) => {
    const response = await ctx.clients.search.search(toSearchRequest(body), onBehalfOf(call));
    const queryId = recordSearch(ctx, call, body, response);
    const results = response.results.map(searchResult);
    return page({ query: body.query, queryId, results, tookMs: response.tookMs }, response.page);
  }),

  route(search.searchFaceted, async (ctx, { body: { facets, maxFacetValues, ...body } }, call) => {
    const request = { search: toSearchRequest(body), facets, maxFacetValues };
    const response = await ctx.clients.search.searchFaceted(request, onBehalfOf(call));
    const { results = [], tookMs = 0, page: info } = response.search ?? {};
    const queryId = recordSearch(ctx, call, body, { results, page: info });
    const found = { query: body.query, queryId, results: results.map(searchResult) };
    return page({ ...found, facets: response.facets.map(searchFacet), tookMs }, info);
  }),

  route(search.searchDocsSite, async (ctx, { body: { query, limit, collections } }, call) => {
    const request = { query, collectionIds: collections ?? [], limit };
    const response = await ctx.clients.search.searchDocsSite(request, onBehalfOf(call));
    const queryId = recordSearch(ctx, call, { query, collections }, response);
    return data({ query, queryId, results: response.results.map(searchResult), tookMs: response.tookMs });
  }),
];
