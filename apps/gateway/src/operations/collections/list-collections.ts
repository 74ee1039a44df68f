import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { page } from '#http/answer';
import { answersPage } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { pageQuery } from '#http/paging';
import { collectionItem, collectionItemSchema } from '#operations/collections/view';

export const listCollections = defineOperation({
  id: 'listCollections',
  method: 'get',
  path: '/api/v1/collections',
  summary: 'List collections, newest first',
  access: 'publishable',
  params: none,
  query: pageQuery,
  body: noBody,
  success: 200,
  answer: answersPage(z.array(collectionItemSchema)),
  handle: async (ctx, { query }, call) => {
    const answer = await ctx.clients.collections.listCollections({ page: query }, onBehalfOf(call));
    return page(answer.collections.map(collectionItem), answer.page);
  },
});
