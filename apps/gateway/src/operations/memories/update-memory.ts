import { onBehalfOf } from '@lectern/service-kit';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { recordBody } from '#http/body/record-body';
import { defineOperation, none } from '#http/operation';
import { kindValue, memoryChanges } from '#operations/memories/fields';
import { memoryParams } from '#operations/memories/params';
import { memoryRecord, memoryRecordSchema } from '#operations/memories/view';

export const updateMemory = defineOperation({
  id: 'updateMemory',
  method: 'put',
  path: '/api/v1/agents/{id}/memories/{memoryId}',
  summary: 'Change the fields given of a memory',
  access: 'secret',
  versioned: true,
  params: memoryParams,
  query: none,
  body: recordBody(memoryChanges, { record: memoryRecordSchema }),
  success: 200,
  answer: answers(memoryRecordSchema),
  current: async (ctx, params, call) => {
    const request = { agentId: params.id, id: params.memoryId };
    const memory = await ctx.clients.memories.getMemory(request, onBehalfOf(call));
    return { record: memoryRecord(memory), revision: memory.revision };
  },
  handle: async (ctx, { params, body: { source, expiresAt, kind, ...body } }, call) => {
    const request = {
      ...body,
      agentId: params.id,
      id: params.memoryId,
      kind: kindValue(kind),
      // Empty clears it.
      conversationId: source === undefined ? undefined : (source?.conversationId ?? ''),
      expiresAt: expiresAt == null ? undefined : new Date(expiresAt),
      clearExpiresAt: expiresAt === null,
      precondition: call.ifMatch,
    };
    const memory = await ctx.clients.memories.updateMemory(request, onBehalfOf(call));
    return recordData(memoryRecord(memory), memory.revision);
  },
});
