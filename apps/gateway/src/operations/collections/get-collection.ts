import { onBehalfOf } from '@lectern/service-kit';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { connectorIds } from '#operations/collections/connector-ids';
import { collectionRecord, collectionRecordSchema } from '#operations/collections/view';

export const getCollection = defineOperation({
  id: 'getCollection',
  method: 'get',
  path: '/api/v1/collections/{id}',
  summary: 'Get a collection, with the ids of its connectors',
  access: 'publishable',
  versioned: true,
  params: idParams('collection'),
  query: none,
  body: noBody,
  success: 200,
  answer: answers(collectionRecordSchema),
  handle: async (ctx, { params }, call) => {
    const collection = await ctx.clients.collections.getCollection(params, onBehalfOf(call));
    return recordData(collectionRecord(collection, await connectorIds(ctx, collection.id, call)), collection.revision);
  },
});
