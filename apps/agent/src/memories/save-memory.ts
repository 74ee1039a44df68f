import { AppError, newId } from '@lectern/service-kit';
import type { Memory, Prisma } from '#gen/prisma/client';
import type { MemoryContext } from '#memories/memory-context';
import type { KindName } from '#memories/memory-kind';
import { MEMORY_LIMITS } from '#memories/memory-limits';
import { isSameMemory } from '#memories/same-memory';

/** A memory to store. */
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

/** The result of storing a memory. */
export interface SavedMemory {
  readonly memory: Memory;
  /** True if it was merged into an existing memory. */
  readonly merged: boolean;
}

/**
 * Stores a memory, or merges it into an equivalent one of the same kind (among those that match
 * `among`). Serialized per agent, so that concurrent duplicates are stored once. Throws `not_found`
 * for a deleted agent and `conflict` at the limit of memories.
 */
export async function saveMemory(
  { db }: MemoryContext,
  newMemory: NewMemory,
  among: Prisma.MemoryWhereInput,
): Promise<SavedMemory> {
  const { agentId, kind } = newMemory;
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${agentId}, 0))`;
    const known = await tx.memory.findMany({ where: { ...among, kind }, orderBy: { createdAt: 'asc' } });
    const same = known.find(({ content }) => isSameMemory(content, newMemory.content));
    if (same !== undefined) {
      return { memory: await tx.memory.update({ where: { id: same.id }, data: merge(same, newMemory) }), merged: true };
    }
    if ((await tx.memory.count({ where: { agentId } })) >= MEMORY_LIMITS.perAgent) {
      const message = `The agent has ${MEMORY_LIMITS.perAgent} memories, which is the maximum. Delete some of them or set an expiry.`;
      throw new AppError('conflict', message, { details: { agent: agentId } });
    }
    return { memory: await tx.memory.create({ data: { id: newId('memory'), ...newMemory } }), merged: false };
  });
}

/** Keeps the longer wording, the later expiry, the higher importance and the metadata of both. */
function merge(old: Memory, newMemory: NewMemory): Prisma.MemoryUpdateInput {
  // A proposal does not change a memory that a person wrote or confirmed.
  if (newMemory.proposed && !old.proposed) return { updatedAt: new Date() };
  const content = newMemory.content.length >= old.content.length ? newMemory.content : old.content;
  const endless = old.expiresAt === null || newMemory.expiresAt === null;
  const later = Math.max(old.expiresAt?.getTime() ?? 0, newMemory.expiresAt?.getTime() ?? 0);
  const confirmed = newMemory.proposed ? {} : { proposed: false, keyId: null, userEmail: null };
  return {
    content,
    importance: Math.max(old.importance, newMemory.importance),
    metadata: { ...Object(old.metadata), ...newMemory.metadata },
    conversationId: newMemory.conversationId ?? old.conversationId,
    expiresAt: endless ? null : new Date(later),
    version: { increment: 1 },
    ...confirmed,
  };
}
