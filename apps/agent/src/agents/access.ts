import { AppError, type Caller, isId, notFound, requireReach } from '@lectern/service-kit';
import type { Agent, Prisma, PrismaClient } from '#gen/prisma/client';

/**
 * An agent of the caller's team whose collections its key reaches, all of them. An agent that names no collections answers each caller from
 * what that caller reaches, so every key sees it. Throws `not_found`, and `forbidden` for one out of reach.
 */
export async function readAgent(db: PrismaClient, caller: Caller, id: string): Promise<Agent> {
  const agent = isId('agent', id) ? await db.agent.findFirst({ where: { id, teamId: caller.teamId } }) : null;
  if (agent === null) throw notFound('agent', id);
  for (const collectionId of agent.collectionIds) requireReach(caller, collectionId);
  return agent;
}

/**
 * An agent that the caller may change or delete. With a key of restricted scope that is one bound to collections, or one that the key
 * made: other keys rely on those that are bound to none. Throws as `readAgent`, and `forbidden`.
 */
export async function readAgentToChange(db: PrismaClient, caller: Caller, id: string): Promise<Agent> {
  const agent = await readAgent(db, caller, id);
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
