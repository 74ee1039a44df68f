import type { Memory } from '#gen/prisma/client';
import type { MemoryContext } from '#memories/memory-context';

/** Copies memories to the vector store and notes which version is there. */
export async function indexMemories(
  { db, memoryIndex }: MemoryContext,
  rows: readonly Memory[],
  signal?: AbortSignal,
): Promise<void> {
  await memoryIndex.put(rows, signal);
  const { indexedAs: indexedModel } = memoryIndex;
  for (const { id, version, updatedAt } of rows) {
    // The same time of change: being copied is none.
    await db.memory.updateMany({ where: { id, version }, data: { indexedVersion: version, indexedModel, updatedAt } });
  }
}

/** The same for one that was just written, now where it can be: the sweep does it where the store or the provider is away. */
export async function indexSoon(context: MemoryContext, row: Memory, signal: AbortSignal): Promise<void> {
  try {
    await indexMemories(context, [row], signal);
  } catch (err) {
    context.log.warn({ err, memoryId: row.id }, 'a memory was not indexed, will be tried again');
  }
}
