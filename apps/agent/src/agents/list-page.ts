import type { Page, ServiceCall } from '@lectern/service-kit';
import { agentVisibility, isWithin } from '#agents/visible-agents';
import type { Context } from '#context';
import type { Agent } from '#gen/prisma/client';

/**
 * Returns a page of the agents that are visible to a caller (see `readAgent`), newest first, and
 * their total.
 */
export async function listPage(
  context: Pick<Context, 'db' | 'collections'>,
  call: ServiceCall,
  { skip, take }: Page,
): Promise<{ readonly agents: readonly Agent[]; readonly total: number }> {
  const { db } = context;
  const { caller } = call;
  const { teamId, scope } = caller;
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
  const all = await db.agent.findMany({
    where: { teamId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { id: true, keyId: true, collectionIds: true },
  });
  const canSeeAll = all.every((agent) => isWithin(caller, agent));
  const visible = canSeeAll ? all : all.filter(await agentVisibility(context, call));
  const ids = visible.slice(skip, skip + take).map(({ id }) => id);
  const agents = await db.agent.findMany({
    where: { id: { in: ids } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return { agents, total: visible.length };
}
