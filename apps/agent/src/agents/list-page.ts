import type { Caller, Page } from '@lectern/service-kit';
import type { Agent, PrismaClient } from '#gen/prisma/client';

/** The agents that a caller sees (see `readAgent`), newest first, and how many there are. */
export async function listPage(
  db: PrismaClient,
  { teamId, scope }: Caller,
  { skip, take }: Page,
): Promise<{ readonly agents: readonly Agent[]; readonly total: number }> {
  if (scope.kind === 'all') {
    const where = { teamId };
    const [agents, total] = await db.$transaction([
      db.agent.findMany({
        where,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        skip,
        take,
      }),
      db.agent.count({ where }),
    ]);
    return { agents, total };
  }
  // Prisma has no filter for “every element is one of”.
  const visible = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM agents WHERE team_id = ${teamId} AND collection_ids <@ ${[...scope.ids]}::text[]
    ORDER BY created_at DESC, id DESC`;
  const ids = visible.slice(skip, skip + take).map(({ id }) => id);
  const agents = await db.agent.findMany({
    where: { id: { in: ids } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return { agents, total: visible.length };
}
