import { idOf, onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { agentFields } from '#operations/agents/fields';
import { agentItem, agentItemSchema, agentRecord } from '#operations/agents/view';

const body = z
  .strictObject({
    ...agentFields,
    description: agentFields.description.optional(),
    tools: agentFields.tools.default([]),
    collections: agentFields.collections.default([]),
    startMessage: agentFields.startMessage.optional(),
    memory: agentFields.memory.optional(),
  })
  .meta({
    examples: [{ name: 'Helper', systemPrompt: 'You help with questions about leave.', tools: ['search_documents'] }],
  });

export const createAgent = defineOperation({
  id: 'createAgent',
  method: 'post',
  path: '/api/v1/agents',
  summary: 'Create an agent',
  access: 'secret',
  versioned: true,
  params: none,
  query: none,
  body: jsonBody(body, 'MAX_JSON_BYTES'),
  success: 201,
  answer: answers(agentItemSchema),
  handle: async (ctx, { body: { collections, ...body } }, call) => {
    const request = { ...body, collectionIds: collections, id: idOf('agent', call.seed) };
    const agent = await ctx.clients.agents.createAgent(request, onBehalfOf(call));
    return recordData(agentRecord(agent), agent.revision, { shown: agentItem(agent) });
  },
});
