import { FILTER_LIMITS, onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { type Answer, page } from '#http/answer';
import { answersPage } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { optionalQuery, searchFields, toSearchRequest } from '#operations/search/fields';
import { facetedAnswerSchema, searchFacet, searchResult } from '#operations/search/view';

const MAX_FACETS = 20;
const MAX_VALUES = 1_000;
const DEFAULT_VALUES = 20;

const body = z
  .strictObject({
    query: optionalQuery,
    ...searchFields,
    facets: z.array(z.string().min(1).max(FILTER_LIMITS.nameLength)).max(MAX_FACETS).default([]),
    maxFacetValues: z.int().min(1).max(MAX_VALUES).default(DEFAULT_VALUES),
  })
  .meta({ examples: [{ query: 'leave', facets: ['source', 'author'] }] });

export const searchFaceted = defineOperation({
  id: 'searchFaceted',
  method: 'post',
  path: '/api/v1/search/faceted',
  summary: 'Search or list documents and count the values of their fields',
  access: 'publishable',
  params: none,
  query: none,
  body: jsonBody(body),
  success: 200,
  usage: 'search',
  answer: answersPage(facetedAnswerSchema),
  errors: ['upstream_error'],
  handle: async (ctx, { body }, call): Promise<Answer> => {
    const { facets, maxFacetValues, ...rest } = body;
    const request = { search: toSearchRequest(rest), facets, maxFacetValues };
    const answer = await ctx.clients.search.searchFaceted(request, onBehalfOf(call));
    const { results = [], tookMs = 0, page: info } = answer.search ?? {};
    const found = { query: body.query, results: results.map(searchResult), facets: answer.facets.map(searchFacet) };
    return page({ ...found, tookMs }, info);
  },
});
