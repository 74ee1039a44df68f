import { observe, type Running } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';
import { BATCH, inBatches } from '#retention/in-batches';
import { failExpired } from '#webhooks/deliveries';

/** Ended deliveries that are kept for each webhook, however new they are. */
const MAX_ENDED = 100_000;
const ENDED_DAYS = 7;

/**
 * Deletes ended deliveries after a week, and those beyond the newest 100,000 of a webhook; then events
 * without deliveries.
 */
export async function purgeDeliveries(db: PrismaClient, signal?: AbortSignal): Promise<void> {
  await inBatches(() => failExpired(db, new Date(), BATCH), signal);
  await inBatches(
    () => db.$executeRaw`
      DELETE FROM webhook_deliveries WHERE id IN (
        SELECT id FROM webhook_deliveries
        WHERE ended_at < now() - ${ENDED_DAYS} * interval '1 day' AND status <> 'pending'
        LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
    signal,
  );
  for (const { id } of await db.webhook.findMany({ select: { id: true } })) {
    if (signal?.aborted) return;
    const [oldest] = await db.$queryRaw<{ position: bigint }[]>`
      SELECT position FROM webhook_deliveries WHERE webhook_id = ${id}
      ORDER BY position DESC OFFSET ${MAX_ENDED} LIMIT 1`;
    if (oldest === undefined) continue;
    await inBatches(
      () => db.$executeRaw`
        DELETE FROM webhook_deliveries WHERE id IN (
          SELECT id FROM webhook_deliveries
          WHERE webhook_id = ${id} AND position <= ${oldest.position} AND status <> 'pending'
          LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
      signal,
    );
  }
  await inBatches(
    () => db.$executeRaw`
      DELETE FROM webhook_events WHERE id IN (
        SELECT e.id FROM webhook_events AS e
        WHERE NOT EXISTS (SELECT FROM webhook_deliveries AS d WHERE d.event_id = e.id)
        LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
    signal,
  );
}

/** Exports what waits for endpoints. All replicas export the same values. */
export function observeDeliveries(db: PrismaClient): Running {
  const stops = [
    observe('lectern_webhook_pending', 'Events that wait for an enabled webhook', async () => {
      const [row] = await db.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM webhook_deliveries AS d JOIN webhooks AS w ON w.id = d.webhook_id
        WHERE d.status = 'pending' AND w.enabled`;
      return [[row?.count ?? 0, {}]];
    }),
    observe('lectern_webhook_overdue_seconds', 'How long the longest overdue attempt has waited', async () => {
      const [row] = await db.$queryRaw<{ seconds: number }[]>`
        SELECT coalesce(extract(epoch FROM now() - min(d.next_attempt_at)), 0)::float8 AS seconds
        FROM webhook_deliveries AS d JOIN webhooks AS w ON w.id = d.webhook_id
        WHERE d.status = 'pending' AND w.enabled AND d.next_attempt_at < now() AND w.failures = 0
          AND (w.paused_until IS NULL OR w.paused_until < now())
          AND (d.leased_until IS NULL OR d.leased_until < now())`;
      return [[row?.seconds ?? 0, {}]];
    }),
  ];
  return {
    stop: async () => {
      for (const stop of stops) stop();
    },
  };
}
