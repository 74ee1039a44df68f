import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { jsonBody } from '#http/body/json-body';
import { description, name } from '#http/fields';
import { defineOperation, none } from '#http/operation';
import { collectionRecord } from '#operations/collections/view';

const body = z.strictObject({
  name,
  description: description.optional(),
  embeddingModel: z.string().min(1).max(200).optional(),
});

export const createCollection = defineOperation({
  id: 'createCollection',
  method: 'post',
  path: '/api/v1/collections',
  summary: 'Create a collection',
  access: 'secret',
  params: none,
  query: none,
  body: jsonBody(body),
  success: 201,
  handle: async (ctx, { body }, call) => {
    const collection = await ctx.clients.collections.createCollection(body, onBehalfOf(call));
    return data(collectionRecord(collection, []));
  },
});
