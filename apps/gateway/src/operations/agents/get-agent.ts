import { onBehalfOf } from '@lectern/service-kit';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { agentRecord, agentRecordSchema } from '#operations/agents/view';

export const getAgent = defineOperation({
  id: 'getAgent',
  method: 'get',
  path: '/api/v1/agents/{id}',
  summary: 'Get an agent',
  access: 'secret',
  versioned: true,
  params: idParams('agent'),
  query: none,
  body: noBody,
  success: 200,
  answer: answers(agentRecordSchema),
  handle: async (ctx, { params }, call) => {
    const agent = await ctx.clients.agents.getAgent(params, onBehalfOf(call));
    return recordData(agentRecord(agent), agent.revision);
  },
});
