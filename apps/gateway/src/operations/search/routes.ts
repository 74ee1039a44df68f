import { search } from '@lectern/api-spec';
import { onBehalfOf } from '@lectern/service-kit';
import { data, page } from '#http/answer';
import { searchFacet, searchResult, toSearchRequest } from '#operations/search/mapping';
import { route } from '#pipeline/operation';

export const searchRoutes = [
  route(search.searchDocuments, async (ctx, { body }, call) => {
    const answer = await ctx.clients.search.search(toSearchRequest(body), onBehalfOf(call));
    const results = answer.results.map(searchResult);
    return page({ query: body.query, results, tookMs: answer.tookMs }, answer.page);
  }),

  route(search.searchFaceted, async (ctx, { body: { facets, maxFacetValues, ...body } }, call) => {
    const request = { search: toSearchRequest(body), facets, maxFacetValues };
    const answer = await ctx.clients.search.searchFaceted(request, onBehalfOf(call));
    const { results = [], tookMs = 0, page: info } = answer.search ?? {};
    const found = { query: body.query, results: results.map(searchResult), facets: answer.facets.map(searchFacet) };
    return page({ ...found, tookMs }, info);
  }),

  route(search.searchDocsSite, async (ctx, { body: { query, limit, collections } }, call) => {
    const request = { query, collectionIds: collections ?? [], limit };
    const answer = await ctx.clients.search.searchDocsSite(request, onBehalfOf(call));
    return data({ query, results: answer.results.map(searchResult), tookMs: answer.tookMs });
  }),
];
