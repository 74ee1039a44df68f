import { memories } from '@lectern/api-spec';
import { onBehalfOf } from '@lectern/service-kit';
import { data, page, recordData } from '#http/api-response';
import { kindValue, memoryRecord, requireMemory } from '#operations/memories/mapping';
import { route } from '#pipeline/operation';

export const memoryRoutes = [
  route(memories.listMemories, async (ctx, { params, query: { kind, ...paging } }, call) => {
    const request = { agentId: params.id, kind: kindValue(kind), page: paging };
    const response = await ctx.clients.memories.listMemories(request, onBehalfOf(call));
    return page(response.memories.map(memoryRecord), response.page);
  }),

  route(memories.createMemory, async (ctx, { params, body: { source, expiresAt, kind, ...body } }, call) => {
    const request = {
      ...body,
      agentId: params.id,
      kind: kindValue(kind),
      conversationId: source?.conversationId ?? undefined,
      expiresAt: expiresAt == null ? undefined : new Date(expiresAt),
    };
    const response = await ctx.clients.memories.createMemory(request, onBehalfOf(call));
    const memory = requireMemory(response.memory);
    return recordData(memoryRecord(memory), memory.revision, response.merged ? { status: 200 } : {});
  }),

  route(memories.searchMemories, async (ctx, { params, query: { query, kind, limit } }, call) => {
    const request = { agentId: params.id, query, kind: kindValue(kind), limit };
    const { hits } = await ctx.clients.memories.searchMemories(request, onBehalfOf(call));
    return data(hits.map(({ memory, score }) => ({ ...memoryRecord(requireMemory(memory)), score })));
  }),

  route(memories.getMemory, async (ctx, { params }, call) => {
    const request = { agentId: params.id, id: params.memoryId };
    const memory = await ctx.clients.memories.getMemory(request, onBehalfOf(call));
    return recordData(memoryRecord(memory), memory.revision);
  }),

  route(
    memories.updateMemory,
    async (ctx, { params, body: { source, expiresAt, kind, ...body } }, call) => {
      const request = {
        ...body,
        agentId: params.id,
        id: params.memoryId,
        kind: kindValue(kind),
        // An empty id clears it.
        conversationId: source === undefined ? undefined : (source?.conversationId ?? ''),
        expiresAt: expiresAt == null ? undefined : new Date(expiresAt),
        clearExpiresAt: expiresAt === null,
        precondition: call.ifMatch,
      };
      const memory = await ctx.clients.memories.updateMemory(request, onBehalfOf(call));
      return recordData(memoryRecord(memory), memory.revision);
    },
    {
      current: async (ctx, params, call) => {
        const request = { agentId: params.id, id: params.memoryId };
        const memory = await ctx.clients.memories.getMemory(request, onBehalfOf(call));
        return { record: memoryRecord(memory), revision: memory.revision };
      },
    },
  ),

  route(memories.deleteMemory, async (ctx, { params }, call) => {
    const request = { agentId: params.id, id: params.memoryId, precondition: call.ifMatch };
    const { id } = await ctx.clients.memories.deleteMemory(request, onBehalfOf(call));
    return data({ id, deleted: true });
  }),
];
