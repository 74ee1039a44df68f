import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { type Answer, page } from '#http/answer';
import { answersPage } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { searchFields, searchQuery, toSearchRequest } from '#operations/search/fields';
import { searchAnswerSchema, searchResult } from '#operations/search/view';

const body = z
  .strictObject({ query: searchQuery, ...searchFields })
  .meta({ examples: [{ query: 'How many days of leave?', limit: 5, filters: { author: 'Ada' } }] });

export const searchDocuments = defineOperation({
  id: 'searchDocuments',
  method: 'post',
  path: '/api/v1/search',
  summary: 'Search documents',
  access: 'publishable',
  params: none,
  query: none,
  body: jsonBody(body),
  success: 200,
  usage: 'search',
  answer: answersPage(searchAnswerSchema),
  errors: ['upstream_error'],
  handle: async (ctx, { body }, call): Promise<Answer> => {
    const answer = await ctx.clients.search.search(toSearchRequest(body), onBehalfOf(call));
    const results = answer.results.map(searchResult);
    return page({ query: body.query, results, tookMs: answer.tookMs }, answer.page);
  },
});
