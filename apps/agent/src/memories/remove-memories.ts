import { newId } from '@lectern/service-kit';
import type { MemoryRemoval, Prisma } from '#gen/prisma/client';
import type { MemoryContext } from '#memories/memory-context';

type Target = Pick<MemoryRemoval, 'teamId' | 'agentId' | 'memoryId'>;

/** Notes, in the transaction that deletes rows, that their vectors have to go too. */
export function noteRemovals(tx: Prisma.TransactionClient, targets: readonly Target[]): Promise<unknown> {
  return tx.memoryRemoval.createMany({ data: targets.map((target) => ({ id: newId('memory'), ...target })) });
}

/** Takes the vectors of what was deleted out of the store. Rejects where the store is away: the rows then stay for the next time. */
export async function carryOutRemovals(
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

/** The same for what was just deleted; the sweep does it where it cannot be done now. */
export async function removeSoon(context: MemoryContext, signal: AbortSignal): Promise<void> {
  try {
    await carryOutRemovals(context, 10, signal);
  } catch (err) {
    context.log.warn({ err }, 'vectors of deleted memories are still stored, will be tried again');
  }
}
