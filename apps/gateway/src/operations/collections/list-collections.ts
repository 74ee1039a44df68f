import { onBehalfOf } from '@lectern/service-kit';
import { page } from '#http/answer';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { pageQuery } from '#http/paging';
import { collectionItem } from '#operations/collections/view';

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
  handle: async (ctx, { query }, call) => {
    const answer = await ctx.clients.collections.listCollections({ page: query }, onBehalfOf(call));
    return page(answer.collections.map(collectionItem), answer.page);
  },
});
