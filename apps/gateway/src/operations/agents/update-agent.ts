import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { recordBody } from '#http/body/record-body';
import { orEmpty } from '#http/fields';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { agentFields } from '#operations/agents/fields';
import { agentRecord, agentRecordSchema } from '#operations/agents/view';

const body = z
  .strictObject({
    ...agentFields,
    /** Null or an empty string clears the field. */
    description: agentFields.description.nullable(),
    startMessage: agentFields.startMessage.nullable(),
  })
  .partial()
  .meta({ examples: [{ name: 'Helper', tools: [] }] });

/** A list that was given, as distinct from one that was left out. */
const given = (values: string[] | undefined) => (values === undefined ? undefined : { values });

export const updateAgent = defineOperation({
  id: 'updateAgent',
  method: 'put',
  path: '/api/v1/agents/{id}',
  summary: 'Change the fields given of an agent',
  access: 'secret',
  versioned: true,
  params: idParams('agent'),
  query: none,
  body: recordBody(body, { record: agentRecordSchema }),
  success: 200,
  answer: answers(agentRecordSchema),
  current: async (ctx, params, call) => {
    const agent = await ctx.clients.agents.getAgent(params, onBehalfOf(call));
    return { record: agentRecord(agent), revision: agent.revision };
  },
  handle: async (ctx, { params, body: { tools, collections, description, startMessage, ...body } }, call) => {
    const request = {
      ...params,
      ...body,
      description: orEmpty(description),
      startMessage: orEmpty(startMessage),
      tools: given(tools),
      collectionIds: given(collections),
      precondition: call.ifMatch,
    };
    const agent = await ctx.clients.agents.updateAgent(request, onBehalfOf(call));
    return recordData(agentRecord(agent), agent.revision);
  },
});
