import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { recordBody } from '#http/body/record-body';
import { description, name, orEmpty } from '#http/fields';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { connectorIds } from '#operations/collections/connector-ids';
import { collectionRecord, collectionRecordSchema } from '#operations/collections/view';

const body = z
  .strictObject({
    name: name.optional(),
    /** Null or an empty string clears the field. */
    description: description.nullable().optional(),
    embeddingModel: z.string().min(1).max(200).optional(),
  })
  .meta({ examples: [{ description: 'How we work here' }] });

export const updateCollection = defineOperation({
  id: 'updateCollection',
  method: 'put',
  path: '/api/v1/collections/{id}',
  summary: 'Change the fields given of a collection',
  access: 'secret',
  ofCollection: true,
  versioned: true,
  params: idParams('collection'),
  query: none,
  body: recordBody(body, { record: collectionRecordSchema }),
  success: 200,
  answer: answers(collectionRecordSchema),
  current: async (ctx, params, call) => {
    const collection = await ctx.clients.collections.getCollection(params, onBehalfOf(call));
    return {
      record: collectionRecord(collection, await connectorIds(ctx, collection.id, call)),
      revision: collection.revision,
    };
  },
  handle: async (ctx, { params, body: { description, ...body } }, call) => {
    const request = { ...params, ...body, description: orEmpty(description), precondition: call.ifMatch };
    const collection = await ctx.clients.collections.updateCollection(request, onBehalfOf(call));
    return recordData(collectionRecord(collection, await connectorIds(ctx, collection.id, call)), collection.revision);
  },
});
