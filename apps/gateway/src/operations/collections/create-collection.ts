import { idOf, onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
import { description, name } from '#http/fields';
import { defineOperation, none } from '#http/operation';
import { collectionRecord, collectionRecordSchema } from '#operations/collections/view';

const body = z
  .strictObject({
    name,
    description: description.optional(),
    embeddingModel: z.string().min(1).max(200).optional(),
  })
  .meta({ examples: [{ name: 'Handbook', description: 'How we work' }] });

export const createCollection = defineOperation({
  id: 'createCollection',
  method: 'post',
  path: '/api/v1/collections',
  summary: 'Create a collection',
  access: 'secret',
  fullScopeTo: 'create collections',
  versioned: true,
  params: none,
  query: none,
  body: jsonBody(body),
  success: 201,
  answer: answers(collectionRecordSchema),
  handle: async (ctx, { body }, call) => {
    const request = { ...body, id: idOf('collection', call.seed) };
    const collection = await ctx.clients.collections.createCollection(request, onBehalfOf(call));
    return recordData(collectionRecord(collection, []), collection.revision);
  },
});
