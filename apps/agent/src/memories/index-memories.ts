import type { Memory } from '#gen/prisma/client';
import type { MemoryContext } from '#memories/memory-context';

/** Copies memories to the vector store and records the indexed version. */
export async function indexMemories(
  { db, memoryIndex }: MemoryContext,
  rows: readonly Memory[],
  signal?: AbortSignal,
): Promise<void> {
  await memoryIndex.put(rows, signal);
  const { indexedAs: indexedModel } = memoryIndex;
  for (const { id, version, updatedAt } of rows) {
    // Indexing is not a change, so `updatedAt` stays the same.
    await db.memory.updateMany({ where: { id, version }, data: { indexedVersion: version, indexedModel, updatedAt } });
  }
}

/**
 * Indexes a memory that was just written. If the store or provider is unavailable, the sweep does
 * it later.
 */
export async function indexSoon(context: MemoryContext, row: Memory, signal: AbortSignal): Promise<void> {
  try {
    await indexMemories(context, [row], signal);
  } catch (err) {
    context.log.warn({ err, memoryId: row.id }, 'could not index a memory; the sweeper will retry');
  }
}
