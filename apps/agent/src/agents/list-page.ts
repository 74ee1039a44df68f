import type { Caller } from '@lectern/service-kit';
import type { Agent, PrismaClient } from '#gen/prisma/client';

/** Which part of the list is wanted; page counts from 1. */
export interface ListPage {
  readonly page: number;
  readonly limit: number;
}

/** The agents that a caller sees (see `readAgent`), newest first, and how many there are. */
export async function listPage(
  db: PrismaClient,
  { teamId, scope }: Caller,
  { page, limit }: ListPage,
): Promise<{ readonly agents: readonly Agent[]; readonly total: number }> {
  if (scope.kind === 'all') {
    const where = { teamId };
    const [agents, total] = await db.$transaction([
      db.agent.findMany({
        where,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        skip: (page - 1) * limit,
        take: limit,
      }),
      db.agent.count({ where }),
    ]);
    return { agents, total };
  }
  // Prisma has no filter for “every element is one of”.
  const visible = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM agents WHERE team_id = ${teamId} AND collection_ids <@ ${[...scope.ids]}::text[]
    ORDER BY created_at DESC, id DESC`;
  const ids = visible.slice((page - 1) * limit, page * limit).map(({ id }) => id);
  const agents = await db.agent.findMany({
    where: { id: { in: ids } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return { agents, total: visible.length };
}
