import type { StoredVersion } from '@lectern/vector-store';
import { indexMemories } from '#memories/index-memories';
import type { MemoryContext } from '#memories/memory-context';
import { executeRemovals, noteRemovals } from '#memories/remove-memories';

const BATCH = 100;

/**
 * Deletes expired memories, deletes vectors of deleted ones, and indexes those that are not
 * indexed.
 */
export async function sweepMemories(context: MemoryContext, signal: AbortSignal): Promise<void> {
  await deleteExpired(context);
  await executeRemovals(context, BATCH, signal);
  const { db, memoryIndex } = context;
  const rows = await db.memory.findMany({
    where: {
      OR: [
        { indexedVersion: { lt: db.memory.fields.version } },
        { indexedModel: null },
        { indexedModel: { not: memoryIndex.indexedAs } },
      ],
    },
    orderBy: { updatedAt: 'asc' },
    take: BATCH,
  });
  await indexMemories(context, rows, signal);
}

async function deleteExpired({ db }: MemoryContext): Promise<void> {
  const expired = await db.memory.findMany({
    where: { expiresAt: { lte: new Date() } },
    select: { id: true, teamId: true, agentId: true },
    take: BATCH,
  });
  if (expired.length === 0) return;
  await db.$transaction(async (tx) => {
    // The expiry of some can have been extended in the meantime.
    const stillExpired = await tx.memory.findMany({
      where: { id: { in: expired.map(({ id }) => id) }, expiresAt: { lte: new Date() } },
      select: { id: true },
    });
    const ids = new Set(stillExpired.map(({ id }) => id));
    await tx.memory.deleteMany({ where: { id: { in: [...ids] } } });
    const targets = expired.filter(({ id }) => ids.has(id));
    await noteRemovals(
      tx,
      targets.map(({ id, teamId, agentId }) => ({ teamId, agentId, memoryId: id })),
    );
  });
}

/** Deletes vectors without a row, and marks rows without vectors for indexing by the next sweep. */
export async function reconcileMemories(context: MemoryContext, signal: AbortSignal): Promise<void> {
  const { db, memoryIndex } = context;
  const teams = await db.agent.findMany({ distinct: ['teamId'], select: { teamId: true } });
  for (const { teamId } of teams) {
    let batch: StoredVersion[] = [];
    for await (const stored of memoryIndex.stored(teamId, signal)) {
      batch.push(stored);
      if (batch.length < BATCH) continue;
      await removeOrphans(context, teamId, batch, signal);
      batch = [];
    }
    await removeOrphans(context, teamId, batch, signal);
    await forgetMissing(context, teamId, signal);
  }
}

async function removeOrphans(
  { db, memoryIndex }: MemoryContext,
  teamId: string,
  stored: readonly StoredVersion[],
  signal: AbortSignal,
): Promise<void> {
  const rows = await db.memory.findMany({ where: { id: { in: stored.map(({ document }) => document) } } });
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  for (const one of stored) {
    // A newer version can have been indexed since the row was read.
    if (one.version < (versions.get(one.document) ?? Number.POSITIVE_INFINITY)) {
      await memoryIndex.removeVersion(teamId, one, signal);
    }
  }
}

async function forgetMissing({ db, memoryIndex }: MemoryContext, teamId: string, signal: AbortSignal): Promise<void> {
  let after = '';
  for (;;) {
    const rows = await db.memory.findMany({
      where: { teamId, indexedModel: memoryIndex.indexedAs, indexedVersion: { gt: 0 }, id: { gt: after } },
      select: { id: true, updatedAt: true },
      orderBy: { id: 'asc' },
      take: BATCH,
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    const counts = await memoryIndex.counts(
      teamId,
      rows.map(({ id }) => id),
      signal,
    );
    for (const { id, updatedAt } of rows.filter((row) => (counts.get(row.id) ?? 0) === 0)) {
      await db.memory.updateMany({ where: { id }, data: { indexedVersion: 0, updatedAt } });
    }
  }
}
