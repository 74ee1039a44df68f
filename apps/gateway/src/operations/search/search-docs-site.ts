import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
import { searchedCollections } from '#http/fields';
import { defineOperation, none } from '#http/operation';
import { pageFields } from '#http/paging';
import { searchQuery } from '#operations/search/fields';
import { searchAnswerSchema, searchResult } from '#operations/search/view';

const body = z
  .strictObject({ query: searchQuery, limit: pageFields.limit, collections: searchedCollections.optional() })
  .meta({ examples: [{ query: 'leave', limit: 5 }] });

export const searchDocsSite = defineOperation({
  id: 'searchDocsSite',
  method: 'post',
  path: '/v1/docs/search',
  summary: 'Search for the search box of a documentation site',
  access: 'publishable',
  params: none,
  query: none,
  body: jsonBody(body),
  success: 200,
  usage: 'search',
  answer: answers(searchAnswerSchema),
  errors: ['upstream_error'],
  handle: async (ctx, { body: { query, limit, collections } }, call) => {
    const request = { query, collectionIds: collections ?? [], limit };
    const answer = await ctx.clients.search.searchDocsSite(request, onBehalfOf(call));
    return data({ query, results: answer.results.map(searchResult), tookMs: answer.tookMs });
  },
});
