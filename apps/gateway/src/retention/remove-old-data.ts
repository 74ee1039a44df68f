import type { PrismaClient } from '#gen/prisma/client';
import { BATCH, inBatches } from '#retention/in-batches';

/**
 * Deletes what is older than its team allows: audit events, analytics events and usage. Replicas that
 * do so at the same time take different rows.
 */
export async function removeOldData(db: PrismaClient, signal?: AbortSignal): Promise<void> {
  await inBatches(
    () => db.$executeRaw`
      DELETE FROM audit_events WHERE id IN (
        SELECT old.id FROM audit_events old JOIN retention USING (team_id)
        WHERE old.created_at < now() - retention.audit * interval '1 day'
        LIMIT ${BATCH} FOR UPDATE OF old SKIP LOCKED)`,
    signal,
  );
  await inBatches(
    () => db.$executeRaw`
      DELETE FROM analytics_events WHERE id IN (
        SELECT old.id FROM analytics_events old JOIN retention USING (team_id)
        WHERE old.occurred_at < now() - retention.events * interval '1 day'
        LIMIT ${BATCH} FOR UPDATE OF old SKIP LOCKED)`,
    signal,
  );
  await inBatches(
    () => db.$executeRaw`
      DELETE FROM usage_hours WHERE ctid IN (
        SELECT old.ctid FROM usage_hours old JOIN retention USING (team_id)
        WHERE old.hour < now() - retention.usage * interval '1 day'
        LIMIT ${BATCH} FOR UPDATE OF old SKIP LOCKED)`,
    signal,
  );
  await inBatches(
    () => db.$executeRaw`
      DELETE FROM usage_days WHERE ctid IN (
        SELECT old.ctid FROM usage_days old JOIN retention USING (team_id)
        WHERE old.day < now() - retention.usage * interval '1 day'
        LIMIT ${BATCH} FOR UPDATE OF old SKIP LOCKED)`,
    signal,
  );
}
