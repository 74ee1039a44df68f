import { onBehalfOf } from '@lectern/service-kit';
import { recordData } from '#http/answer';
import { answers } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { kindValue, memoryBody } from '#operations/memories/fields';
import { requireMemory } from '#operations/memories/require-memory';
import { memoryRecord, memoryRecordSchema } from '#operations/memories/view';

export const createMemory = defineOperation({
  id: 'createMemory',
  method: 'post',
  path: '/api/v1/agents/{id}/memories',
  summary: 'Give an agent a memory, or merge it into one that says the same',
  access: 'secret',
  versioned: true,
  params: idParams('agent'),
  query: none,
  body: jsonBody(memoryBody, 'MAX_JSON_BYTES'),
  success: 201,
  otherSuccess: { status: 200, description: 'A memory that says the same took it in' },
  errors: ['conflict'],
  answer: answers(memoryRecordSchema),
  handle: async (ctx, { params, body: { source, expiresAt, kind, ...body } }, call) => {
    const request = {
      ...body,
      agentId: params.id,
      kind: kindValue(kind),
      conversationId: source?.conversationId ?? undefined,
      expiresAt: expiresAt == null ? undefined : new Date(expiresAt),
    };
    const answer = await ctx.clients.memories.createMemory(request, onBehalfOf(call));
    const memory = requireMemory(answer.memory);
    return recordData(memoryRecord(memory), memory.revision, answer.merged ? { status: 200 } : {});
  },
});
