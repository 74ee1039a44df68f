import { onBehalfOf } from '@lectern/service-kit';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { memoryParams } from '#operations/memories/params';
import { memoryRecord, memoryRecordSchema } from '#operations/memories/view';

export const getMemory = defineOperation({
  id: 'getMemory',
  method: 'get',
  path: '/api/v1/agents/{id}/memories/{memoryId}',
  summary: 'Get a memory',
  access: 'secret',
  versioned: true,
  params: memoryParams,
  query: none,
  body: noBody,
  success: 200,
  answer: answers(memoryRecordSchema),
  handle: async (ctx, { params }, call) => {
    const request = { agentId: params.id, id: params.memoryId };
    const memory = await ctx.clients.memories.getMemory(request, onBehalfOf(call));
    return recordData(memoryRecord(memory), memory.revision);
  },
});
