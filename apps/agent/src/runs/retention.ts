import type { PrismaClient } from '#gen/prisma/client';

/** Runs that one statement deletes. */
const BATCH = 200;

/** Sets the days for which a team keeps its runs. */
export async function writeRetention(db: PrismaClient, teamId: string, days: number | undefined): Promise<void> {
  const settings = { days: days ?? null };
  await db.retention.upsert({ where: { teamId }, create: { teamId, ...settings }, update: settings });
}

/**
 * Deletes the ended runs that are older than their team allows, with their steps, in batches. Replicas
 * that do so at the same time take different ones. Returns how many were deleted.
 */
export async function removeOldRuns(db: PrismaClient, signal?: AbortSignal): Promise<number> {
  let removed = 0;
  for (let count = BATCH; count === BATCH && !signal?.aborted; removed += count) {
    count = await db.$executeRaw`
      DELETE FROM runs WHERE id IN (
        SELECT old.id FROM runs old JOIN retention USING (team_id)
        WHERE old.started_at < now() - retention.days * interval '1 day' AND old.status <> 'running'
        LIMIT ${BATCH} FOR UPDATE OF old SKIP LOCKED)`;
  }
  return removed;
}
