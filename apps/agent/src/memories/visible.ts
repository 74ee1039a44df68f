import { isId } from '@lectern/contracts';
import { type Caller, isLimitedToOwn, notFound } from '@lectern/service-kit';
import type { Memory, Prisma, PrismaClient } from '#gen/prisma/client';

/** Memories that have not expired. */
const notExpired = (): Prisma.MemoryWhereInput => ({ OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] });

/** Proposals from the caller's own runs. */
const own = ({ keyId, userEmail }: Caller): Prisma.MemoryWhereInput => ({
  keyId: keyId ?? null,
  userEmail: userEmail ?? null,
});

/**
 * Returns the filter for the memories of an agent that a caller can read: all confirmed ones, and
 * the caller's own proposals, which quote conversations. Those who can
 * confirm proposals read all of them: an unrestricted key without an end user, and signed-in editors.
 */
export function visibleTo(caller: Caller, agentId: string): Prisma.MemoryWhereInput {
  const seesAll = caller.scope.kind === 'all' && !isLimitedToOwn(caller);
  const proposals = seesAll ? [] : [{ OR: [{ proposed: false }, own(caller)] }];
  return { agentId, teamId: caller.teamId, AND: [notExpired(), ...proposals] };
}

/**
 * Returns the filter for the memories that a caller's runs get: confirmed ones and the caller's own
 * proposals.
 */
export function usedBy(caller: Caller, agentId: string): Prisma.MemoryWhereInput {
  return { agentId, teamId: caller.teamId, AND: [notExpired(), { OR: [{ proposed: false }, own(caller)] }] };
}

/** Returns a memory that the caller can read. Throws `not_found`. */
export async function readMemory(db: PrismaClient, caller: Caller, agentId: string, id: string): Promise<Memory> {
  const row = isId('memory', id) ? await db.memory.findFirst({ where: { ...visibleTo(caller, agentId), id } }) : null;
  if (row === null) throw notFound('memory', id);
  return row;
}

/**
 * Locks a memory's row until the transaction ends and reads it. Throws `not_found` if the memory
 * was deleted in the meantime.
 */
export async function lockMemory(tx: Prisma.TransactionClient, { id, agentId }: Memory): Promise<Memory> {
  await tx.$queryRaw`SELECT FROM memories WHERE id = ${id} FOR UPDATE`;
  const row = await tx.memory.findFirst({ where: { id, agentId } });
  if (row === null) throw notFound('memory', id);
  return row;
}
