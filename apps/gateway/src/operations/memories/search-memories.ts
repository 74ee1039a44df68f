import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation } from '#http/operation';
import { DEFAULT_LIMIT, integerText, MAX_LIMIT } from '#http/paging';
import { idParams } from '#http/path-params';
import { kindValue, memoryKind } from '#operations/memories/fields';
import { requireMemory } from '#operations/memories/require-memory';
import { memoryHitSchema, memoryRecord } from '#operations/memories/view';

const MAX_QUERY = 2_000;

export const searchMemories = defineOperation({
  id: 'searchMemories',
  method: 'get',
  path: '/api/v1/agents/{id}/memories/search',
  summary: 'Search the memories of an agent, by meaning and by words',
  access: 'secret',
  params: idParams('agent'),
  query: z.object({
    query: z.string('must be given once').max(MAX_QUERY).regex(/\S/, 'must not be empty'),
    kind: memoryKind.optional(),
    limit: integerText(1, MAX_LIMIT).default(DEFAULT_LIMIT),
  }),
  body: noBody,
  success: 200,
  answer: answers(z.array(memoryHitSchema)),
  handle: async (ctx, { params, query: { query, kind, limit } }, call) => {
    const request = { agentId: params.id, query, kind: kindValue(kind), limit };
    const { hits } = await ctx.clients.memories.searchMemories(request, onBehalfOf(call));
    return data(hits.map(({ memory, score }) => ({ ...memoryRecord(requireMemory(memory)), score })));
  },
});
