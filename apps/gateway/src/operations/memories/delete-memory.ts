import { onBehalfOf } from '@lectern/service-kit';
import { data } from '#http/answer';
import { answers, deletedRecord } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { memoryParams } from '#operations/memories/params';

export const deleteMemory = defineOperation({
  id: 'deleteMemory',
  method: 'delete',
  path: '/api/v1/agents/{id}/memories/{memoryId}',
  summary: 'Delete a memory',
  access: 'secret',
  versioned: true,
  params: memoryParams,
  query: none,
  body: noBody,
  success: 200,
  answer: answers(deletedRecord),
  handle: async (ctx, { params }, call) => {
    const request = { agentId: params.id, id: params.memoryId, precondition: call.ifMatch };
    const { id } = await ctx.clients.memories.deleteMemory(request, onBehalfOf(call));
    return data({ id, deleted: true });
  },
});
