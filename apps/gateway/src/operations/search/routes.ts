import { search } from '@lectern/api-spec';
import { onBehalfOf } from '@lectern/service-kit';
import { data, page } from '#http/api-response';
import { searchFacet, searchResult, toSearchRequest } from '#operations/search/mapping';
import { route } from '#pipeline/operation';

export const searchRoutes = [
  route(search.searchDocuments, async (ctx, { body }, call) => {
    const response = await ctx.clients.search.search(toSearchRequest(body), onBehalfOf(call));
    const results = response.results.map(searchResult);
    return page({ query: body.query, results, tookMs: response.tookMs }, response.page);
  }),

  route(search.searchFaceted, async (ctx, { body: { facets, maxFacetValues, ...body } }, call) => {
    const request = { search: toSearchRequest(body), facets, maxFacetValues };
    const response = await ctx.clients.search.searchFaceted(request, onBehalfOf(call));
    const { results = [], tookMs = 0, page: info } = response.search ?? {};
    const found = { query: body.query, results: results.map(searchResult), facets: response.facets.map(searchFacet) };
    return page({ ...found, tookMs }, info);
  }),

  route(search.searchDocsSite, async (ctx, { body: { query, limit, collections } }, call) => {
    const request = { query, collectionIds: collections ?? [], limit };
    const response = await ctx.clients.search.searchDocsSite(request, onBehalfOf(call));
    return data({ query, results: response.results.map(searchResult), tookMs: response.tookMs });
  }),
];
