import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
import { description, name } from '#http/fields';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { connectorIds } from '#operations/collections/connector-ids';
import { collectionRecord, collectionRecordSchema } from '#operations/collections/view';

const body = z
  .strictObject({
    name: name.optional(),
    description: description.optional(),
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
  params: idParams('collection'),
  query: none,
  body: jsonBody(body),
  success: 200,
  answer: answers(collectionRecordSchema),
  handle: async (ctx, { params, body }, call) => {
    const collection = await ctx.clients.collections.updateCollection({ ...params, ...body }, onBehalfOf(call));
    return data(collectionRecord(collection, await connectorIds(ctx, collection.id, call)));
  },
});
