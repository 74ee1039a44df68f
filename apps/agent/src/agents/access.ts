import { AppError, isId, notFound, requireReach, type ServiceCall } from '@lectern/service-kit';
import { isWithin, reachableAgents } from '#agents/reachable';
import type { Context } from '#context';
import type { Agent, Prisma } from '#gen/prisma/client';

type Access = Pick<Context, 'db' | 'collections'>;

/**
 * An agent of the caller's team whose collections its key reaches, all that were not deleted. An agent that names no collections answers each
 * caller from what that caller reaches, so every key sees it. Throws `not_found`, and `forbidden` for one out of reach.
 */
export async function readAgent(context: Access, call: ServiceCall, id: string): Promise<Agent> {
  const { caller } = call;
  const where = { id, teamId: caller.teamId };
  const agent = isId('agent', id) ? await context.db.agent.findFirst({ where }) : null;
  if (agent === null) throw notFound('agent', id);
  const isReached = isWithin(caller, agent) || (await reachableAgents(context, call))(agent);
  if (!isReached) for (const collectionId of agent.collectionIds) requireReach(caller, collectionId);
  return agent;
}

/**
 * An agent that the caller may change or delete. With a key of restricted scope that is one bound to collections, or one that the key
 * made: other keys rely on those that are bound to none. Throws as `readAgent`, and `forbidden`.
 */
export async function readAgentToChange(context: Access, call: ServiceCall, id: string): Promise<Agent> {
  const { caller } = call;
  const agent = await readAgent(context, call, id);
  const isOwn = caller.keyId !== undefined && caller.keyId === agent.keyId;
  if (caller.scope.kind === 'all' || agent.collectionIds.length > 0 || isOwn) return agent;
  throw new AppError(
    'forbidden',
    'An API key that is restricted to some collections may change an agent without collections only where it made it.',
    { details: { agent: id } },
  );
}

/**
 * Locks an agent's row until the transaction ends and reads it. Throws `not_found` if the agent was
 * deleted in the meantime.
 */
export async function lockAgent(tx: Prisma.TransactionClient, { id, teamId }: Agent): Promise<Agent> {
  await tx.$queryRaw`SELECT FROM agents WHERE id = ${id} FOR NO KEY UPDATE`;
  const row = await tx.agent.findFirst({ where: { id, teamId } });
  if (row === null) throw notFound('agent', id);
  return row;
}
