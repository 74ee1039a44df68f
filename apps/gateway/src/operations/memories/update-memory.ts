import { onBehalfOf } from '@lectern/service-kit';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
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
  params: memoryParams,
  query: none,
  body: jsonBody(memoryChanges),
  success: 200,
  answer: answers(memoryRecordSchema),
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
    };
    return data(memoryRecord(await ctx.clients.memories.updateMemory(request, onBehalfOf(call))));
  },
});
