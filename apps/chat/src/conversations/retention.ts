import type { PrismaClient } from '#gen/prisma/client';

/** Conversations that one statement deletes. */
const BATCH = 200;

/** Returns the days for which a team keeps its conversations. */
export async function readRetention(db: PrismaClient, teamId: string): Promise<number | undefined> {
  return (await db.retention.findUnique({ where: { teamId } }))?.days ?? undefined;
}

/** Sets the days for which a team keeps its conversations. */
export async function writeRetention(db: PrismaClient, teamId: string, days: number | undefined): Promise<void> {
  const settings = { days: days ?? null };
  await db.retention.upsert({ where: { teamId }, create: { teamId, ...settings }, update: settings });
}

/** How long a completion is kept, unless the team keeps conversations for a shorter time. */
const COMPLETION_DAYS = 30;

/** Deletes completions that are too old, in batches. Returns how many. */
export async function removeOldCompletions(db: PrismaClient, signal?: AbortSignal): Promise<number> {
  let removed = 0;
  for (let count = BATCH; count === BATCH && !signal?.aborted; removed += count) {
    count = await db.$executeRaw`
      DELETE FROM completions WHERE id IN (
        SELECT old.id FROM completions old LEFT JOIN retention USING (team_id)
        WHERE old.created_at < now() - least(retention.days, ${COMPLETION_DAYS}::int) * interval '1 day'
        LIMIT ${BATCH} FOR UPDATE OF old SKIP LOCKED)`;
  }
  return removed;
}

/**
 * Deletes the conversations whose last message is older than their team allows, with messages and
 * replies, in batches. Replicas that do so at the same time take different ones. A conversation with a
 * reply in progress stays. Returns how many were deleted.
 */
export async function removeOldConversations(db: PrismaClient, signal?: AbortSignal): Promise<number> {
  let removed = 0;
  for (let count = BATCH; count === BATCH && !signal?.aborted; removed += count) {
    count = await db.$executeRaw`
      DELETE FROM conversations WHERE id IN (
        SELECT old.id FROM conversations old JOIN retention USING (team_id)
        WHERE old.updated_at < now() - retention.days * interval '1 day'
          AND (old.turn_until IS NULL OR old.turn_until < now())
        LIMIT ${BATCH} FOR UPDATE OF old SKIP LOCKED)`;
  }
  return removed;
}
