import { isId } from '@lectern/contracts';
import { AppError, notFound, requireInScope, type ServiceCall } from '@lectern/service-kit';
import { agentVisibility, isWithin } from '#agents/visible-agents';
import type { Context } from '#context';
import type { Agent, Prisma } from '#gen/prisma/client';

type Access = Pick<Context, 'db' | 'collections'>;

/**
 * Returns an agent of the caller's team. The key must have access to all collections of the agent
 * that were not deleted. An agent without collections is visible to every key and answers from what
 * its caller can access. Throws `not_found` or `forbidden`.
 */
export async function readAgent(context: Access, call: ServiceCall, id: string): Promise<Agent> {
  const { caller } = call;
  const where = { id, teamId: caller.teamId };
  const agent = isId('agent', id) ? await context.db.agent.findFirst({ where }) : null;
  if (agent === null) throw notFound('agent', id);
  const canAccess = isWithin(caller, agent) || (await agentVisibility(context, call))(agent);
  if (!canAccess) for (const collectionId of agent.collectionIds) requireInScope(caller, collectionId);
  return agent;
}

/**
 * Returns an agent that the caller can change or delete. A key of restricted scope cannot change an
 * agent without collections that another key created, because other keys use it too. Throws like
 * `readAgent`, and `forbidden`.
 */
export async function readAgentToChange(context: Access, call: ServiceCall, id: string): Promise<Agent> {
  const { caller } = call;
  const agent = await readAgent(context, call, id);
  const isOwn = caller.keyId !== undefined && caller.keyId === agent.keyId;
  if (caller.scope.kind === 'all' || agent.collectionIds.length > 0 || isOwn) return agent;
  throw new AppError(
    'forbidden',
    'This API key is restricted to some collections, so it can only change agents without collections that it created. Use an unrestricted key.',
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
