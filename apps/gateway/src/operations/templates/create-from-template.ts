import { idOf, onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
import { ids, name } from '#http/fields';
import { defineOperation, none } from '#http/operation';
import { agentItem, agentItemSchema, agentRecord } from '#operations/agents/view';

const MAX_VARIABLES = 100;

const body = z
  .strictObject({
    name: name.optional(),
    collections: ids.default([]),
    variables: z
      .record(z.string().min(1).max(100), z.string())
      .refine((variables) => Object.keys(variables).length <= MAX_VARIABLES, 'has too many entries')
      .default({}),
  })
  .meta({ examples: [{ name: 'Sam', variables: { product: 'Acme' } }] });

export const createFromTemplate = defineOperation({
  id: 'createFromTemplate',
  method: 'post',
  path: '/api/v1/agents/from-template/{templateId}',
  summary: 'Create an agent from a template',
  access: 'secret',
  versioned: true,
  params: z.object({ templateId: z.string() }),
  query: none,
  body: jsonBody(body, 'MAX_JSON_BYTES'),
  success: 201,
  errors: ['not_found'],
  answer: answers(agentItemSchema),
  handle: async (ctx, { params, body: { collections, ...body } }, call) => {
    const request = { ...params, ...body, collectionIds: collections, id: idOf('agent', call.seed) };
    const agent = await ctx.clients.templates.createFromTemplate(request, onBehalfOf(call));
    return recordData(agentRecord(agent), agent.revision, { shown: agentItem(agent) });
  },
});
