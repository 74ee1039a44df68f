import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { page } from '#http/answer';
import { answersPage } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation } from '#http/operation';
import { pageQuery } from '#http/paging';
import { idParams } from '#http/path-params';
import { kindValue, memoryKind } from '#operations/memories/fields';
import { memoryRecord, memoryRecordSchema } from '#operations/memories/view';

export const listMemories = defineOperation({
  id: 'listMemories',
  method: 'get',
  path: '/api/v1/agents/{id}/memories',
  summary: 'List the memories of an agent, newest first',
  access: 'secret',
  params: idParams('agent'),
  query: pageQuery.extend({ kind: memoryKind.optional() }),
  body: noBody,
  success: 200,
  answer: answersPage(z.array(memoryRecordSchema)),
  handle: async (ctx, { params, query: { kind, ...asked } }, call) => {
    const request = { agentId: params.id, kind: kindValue(kind), page: asked };
    const answer = await ctx.clients.memories.listMemories(request, onBehalfOf(call));
    return page(answer.memories.map(memoryRecord), answer.page);
  },
});
