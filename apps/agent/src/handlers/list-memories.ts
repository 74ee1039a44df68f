import type { ListMemoriesRequest } from '@lectern/contracts';
import { pageInfo, readPage, type ServiceCall } from '@lectern/service-kit';
import { readAgent } from '#agents/access';
import type { Context } from '#context';
import { kindName } from '#memories/memory-kind';
import { toMemory } from '#memories/to-memory';
import { visibleTo } from '#memories/visible';

/** Lists the memories of an agent that are visible to the caller, newest first. */
export const listMemories = (context: Context) => async (request: ListMemoriesRequest, call: ServiceCall) => {
  const { db } = context;
  const { caller } = call;
  const { agentId } = request;
  await readAgent(context, call, agentId);
  const page = readPage(request.page);
  const kind = kindName(request.kind);
  const where = { ...visibleTo(caller, agentId), ...(kind === undefined ? {} : { kind }) };
  const [rows, total] = await db.$transaction([
    db.memory.findMany({
      where,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip: page.skip,
      take: page.take,
    }),
    db.memory.count({ where }),
  ]);
  return { memories: rows.map(toMemory), page: pageInfo(page, total) };
};
