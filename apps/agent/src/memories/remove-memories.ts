import { newId } from '@lectern/service-kit';
import type { MemoryRemoval, Prisma } from '#gen/prisma/client';
import type { MemoryContext } from '#memories/memory-context';

type Target = Pick<MemoryRemoval, 'teamId' | 'agentId' | 'memoryId'>;

/** Records, in the transaction that deletes rows, that their vectors must be deleted too. */
export function noteRemovals(tx: Prisma.TransactionClient, targets: readonly Target[]): Promise<unknown> {
  return tx.memoryRemoval.createMany({ data: targets.map((target) => ({ id: newId('memory'), ...target })) });
}

/**
 * Deletes the vectors of deleted memories. Rejects if the store is unavailable; the records remain
 * for the next attempt.
 */
export async function executeRemovals(
  { db, memoryIndex }: MemoryContext,
  take: number,
  signal?: AbortSignal,
): Promise<number> {
  const due = await db.memoryRemoval.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take });
  for (const removal of due) {
    await memoryIndex.remove(removal, signal);
    await db.memoryRemoval.deleteMany({ where: { id: removal.id } });
  }
  return due.length;
}

/**
 * Deletes the vectors of memories that were just deleted. If that fails, the sweep does it later.
 */
export async function removeSoon(context: MemoryContext, signal: AbortSignal): Promise<void> {
  try {
    await executeRemovals(context, 10, signal);
  } catch (err) {
    context.log.warn({ err }, 'could not delete the vectors of deleted memories; the sweeper will retry');
  }
}
