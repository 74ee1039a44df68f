import { AppError, newId } from '@lectern/service-kit';
import type { Memory, Prisma } from '#gen/prisma/client';
import type { MemoryContext } from '#memories/memory-context';
import type { KindName } from '#memories/memory-kind';
import { MEMORY_LIMITS } from '#memories/memory-limits';
import { saysTheSame } from '#memories/says-the-same';

/** A memory to be kept. */
export interface NewMemory {
  readonly teamId: string;
  readonly agentId: string;
  readonly keyId: string | null;
  readonly userEmail: string | null;
  readonly kind: KindName;
  readonly content: string;
  readonly metadata: Prisma.InputJsonObject;
  readonly conversationId: string | null;
  readonly importance: number;
  readonly expiresAt: Date | null;
  readonly proposed: boolean;
}

/** What became of it. */
export interface SavedMemory {
  readonly memory: Memory;
  /** True where a memory that was there took it in. */
  readonly merged: boolean;
}

/** Milliseconds for the comparison with all that an agent has, and to wait for others that write to the same one. */
const PATIENCE = { timeout: 20_000, maxWait: 5_000 };

/**
 * Keeps a memory, or lets one of the same kind that says the same (of those that `among` holds) take it in. One at a time for each agent, so that the
 * same memory sent twice at once is kept once. Throws `not_found` for an agent that is gone, `conflict` where it has as many as it may.
 */
export async function saveMemory(
  { db }: MemoryContext,
  given: NewMemory,
  among: Prisma.MemoryWhereInput,
): Promise<SavedMemory> {
  const { agentId, kind } = given;
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${agentId}, 0))`;
    const known = await tx.memory.findMany({ where: { ...among, kind }, orderBy: { createdAt: 'asc' } });
    const same = known.find(({ content }) => saysTheSame(content, given.content));
    if (same !== undefined) {
      return { memory: await tx.memory.update({ where: { id: same.id }, data: merge(same, given) }), merged: true };
    }
    if ((await tx.memory.count({ where: { agentId } })) >= MEMORY_LIMITS.perAgent) {
      const message = `The agent has ${MEMORY_LIMITS.perAgent} memories, which is as many as it may. Delete some, or let them expire.`;
      throw new AppError('conflict', message, { details: { agent: agentId } });
    }
    return { memory: await tx.memory.create({ data: { id: newId('memory'), ...given } }), merged: false };
  }, PATIENCE);
}

/** Nothing of either is lost: the fuller wording, the later end, the greater importance, and what metadata both have. */
function merge(old: Memory, given: NewMemory): Prisma.MemoryUpdateInput {
  // A proposal adds nothing to what somebody wrote or confirmed.
  if (given.proposed && !old.proposed) return { updatedAt: new Date() };
  const content = given.content.length >= old.content.length ? given.content : old.content;
  const endless = old.expiresAt === null || given.expiresAt === null;
  const later = Math.max(old.expiresAt?.getTime() ?? 0, given.expiresAt?.getTime() ?? 0);
  const confirmed = given.proposed ? {} : { proposed: false, keyId: null, userEmail: null };
  return {
    content,
    importance: Math.max(old.importance, given.importance),
    metadata: { ...Object(old.metadata), ...given.metadata },
    conversationId: given.conversationId ?? old.conversationId,
    expiresAt: endless ? null : new Date(later),
    version: { increment: 1 },
    ...confirmed,
  };
}
