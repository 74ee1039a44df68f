import { onBehalfOf } from '@lectern/service-kit';
import { data } from '#http/answer';
import { answers, deletedRecord } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';

export const deleteAgent = defineOperation({
  id: 'deleteAgent',
  method: 'delete',
  path: '/api/v1/agents/{id}',
  summary: 'Delete an agent',
  access: 'secret',
  versioned: true,
  params: idParams('agent'),
  query: none,
  body: noBody,
  success: 200,
  answer: answers(deletedRecord),
  handle: async (ctx, { params }, call) => {
    const { id } = await ctx.clients.agents.deleteAgent({ ...params, precondition: call.ifMatch }, onBehalfOf(call));
    return data({ id, deleted: true });
  },
});
