import { onBehalfOf } from '@lectern/service-kit';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { collectionStats, collectionStatsSchema } from '#operations/collections/view';

export const refreshStats = defineOperation({
  id: 'refreshCollectionStats',
  method: 'post',
  path: '/api/v1/collections/{id}/refresh-stats',
  summary: 'Count a collection anew',
  access: 'secret',
  params: idParams('collection'),
  query: none,
  body: noBody,
  success: 200,
  answer: answers(collectionStatsSchema),
  handle: async (ctx, { params }, call) =>
    data(collectionStats(await ctx.clients.collections.refreshStats(params, onBehalfOf(call)))),
});
