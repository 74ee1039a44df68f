import { SearchMode } from '@lectern/contracts';
import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { type Answer, page } from '#http/answer';
import { jsonBody } from '#http/body/json-body';
import { ids } from '#http/fields';
import { defineOperation, none } from '#http/operation';
import { pageFields } from '#http/paging';
import { searchQuery } from '#operations/search/fields';
import { searchResult } from '#operations/search/view';

const MODES = { hybrid: SearchMode.HYBRID, keyword: SearchMode.KEYWORD, semantic: SearchMode.SEMANTIC } as const;

const body = z.strictObject({
  query: searchQuery,
  collections: ids.default([]),
  mode: z.enum(['hybrid', 'keyword', 'semantic']).default('hybrid'),
  ...pageFields,
  minScore: z.number().min(0).max(1).optional(),
  maxPassagesPerDocument: z.int().min(1).max(20).default(3),
});

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
  handle: async (ctx, { body }, call): Promise<Answer> => {
    const { collections, mode, page: number, limit, ...rest } = body;
    const request = { ...rest, collectionIds: collections, mode: MODES[mode], page: { page: number, limit } };
    const answer = await ctx.clients.search.search(request, onBehalfOf(call));
    const results = answer.results.map(searchResult);
    return page({ query: body.query, results, tookMs: answer.tookMs }, answer.page);
  },
});
