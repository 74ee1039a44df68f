import type { SearchMemoriesRequest } from '@lectern/contracts';
import { invalidRequest, type ServiceCall } from '@lectern/service-kit';
import { readAgent } from '#agents/access';
import type { Context } from '#context';
import { kindName } from '#memories/memory-kind';
import { MEMORY_LIMITS } from '#memories/memory-limits';
import { rankMemories } from '#memories/rank-memories';
import { toMemory } from '#memories/to-memory';
import { visibleTo } from '#memories/visible';

/** Searches the memories of an agent, best match first. */
export const searchMemories = (context: Context) => async (request: SearchMemoriesRequest, call: ServiceCall) => {
  const { caller, signal } = call;
  const { agentId, query, limit } = request;
  const length = [...query].length;
  if (query.trim() === '' || length > MEMORY_LIMITS.query) {
    throw invalidRequest([{ path: 'query', message: `must have 1 to ${MEMORY_LIMITS.query} characters` }]);
  }
  await readAgent(context, call, agentId);
  const kind = kindName(request.kind);
  const among = { ...visibleTo(caller, agentId), ...(kind === undefined ? {} : { kind }) };
  const ranked = await rankMemories(context, { teamId: caller.teamId, agentId, text: query, among, signal });
  const maxHits = limit > 0 ? Math.min(limit, MEMORY_LIMITS.hits.max) : MEMORY_LIMITS.hits.default;
  return { hits: ranked.slice(0, maxHits).map(({ memory, score }) => ({ memory: toMemory(memory), score })) };
};
