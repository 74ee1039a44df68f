import type { SourceError } from '@lectern/connectors';
import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';

// The row of a connector that outlives its jobs: throttling, the schedule, requested permission
// refreshes.

// --- Throttling ---

/** Waits if the source requests none, by the number of throttles without a success in between. */
const BACKOFF_MS = [5_000, 15_000, 30_000, 60_000, 120_000, 300_000];

const DISPLAY_NAMES: Readonly<Record<string, string>> = {
  s3: 'S3',
  google_drive: 'Google Drive',
  github: 'GitHub',
  postgresql: 'PostgreSQL',
};

const displayName = (type: string): string => DISPLAY_NAMES[type] ?? type.charAt(0).toUpperCase() + type.slice(1);

/**
 * Pauses all work on a connector for as long as its source asks. No worker waits; jobs show the
 * reason. Returns the milliseconds of the pause.
 */
export async function throttle(
  ctx: Context,
  { connectorId, type }: { readonly connectorId: string; readonly type: string },
  error: SourceError,
): Promise<number> {
  const waits = BACKOFF_MS.map((ms) => ms / 1_000);
  const retryAt = error.retryAt ?? null;
  const reason = `Waiting for ${displayName(type)}: ${error.message}`;
  const [state] = await ctx.db.$queryRaw<{ waitMs: number }[]>`
    UPDATE sync_states
    SET throttles = throttles + CASE WHEN throttled_until > now() THEN 0 ELSE 1 END,
      throttled_until = greatest(throttled_until, coalesce(${retryAt}::timestamptz,
        now() + make_interval(secs => (${waits}::float8[])[least(throttles + 1, ${waits.length})]))),
      throttle_reason = ${reason}
    WHERE connector_id = ${connectorId}
    RETURNING greatest(0, extract(epoch FROM throttled_until - now()) * 1000)::float8 AS "waitMs"`;
  return state?.waitMs ?? 0;
}

/** Resets the backoff after a success. */
export async function clearThrottle(ctx: Context, connectorId: string): Promise<void> {
  await ctx.db.$executeRaw`
    UPDATE sync_states SET throttles = 0 WHERE connector_id = ${connectorId} AND throttles > 0
      AND (throttled_until IS NULL OR throttled_until <= now())`;
}

/** Returns why a connector's jobs are waiting, or undefined if the connector is not throttled. */
export function throttleReason(
  state: { readonly throttledUntil: Date | null; readonly throttleReason: string | null } | null | undefined,
): string | undefined {
  if (state?.throttledUntil == null || state.throttledUntil <= new Date()) return undefined;
  return `${state.throttleReason ?? 'Waiting for the source.'} The sync continues at ${state.throttledUntil.toISOString()}.`;
}

// --- Schedule ---

/** Connectors per call. */
const BATCH = 50;

/**
 * Returns the connectors whose scheduled sync is due: `config.syncEveryMinutes` after the last one
 * started, or after the connector was created. The same statement records the start, so only one
 * replica starts the job.
 */
export async function takeScheduled(ctx: Context): Promise<readonly string[]> {
  await ctx.db.$executeRaw`
    INSERT INTO sync_states (connector_id)
    SELECT id FROM connectors WHERE config ? 'syncEveryMinutes' AND status IN ('active', 'error')
    ON CONFLICT DO NOTHING`;
  const due = await ctx.db.$queryRaw<{ connectorId: string }[]>`
    UPDATE sync_states SET scheduled_at = now()
    WHERE connector_id IN (
      SELECT connector.id FROM connectors AS connector
      JOIN sync_states AS state ON state.connector_id = connector.id
      WHERE connector.status IN ('active', 'error') AND jsonb_typeof(connector.config->'syncEveryMinutes') = 'number'
        AND (connector.config->>'syncEveryMinutes')::float8 > 0
        AND greatest(connector.created_at, state.scheduled_at, (
            SELECT max(started_at) FROM sync_jobs WHERE sync_jobs.connector_id = connector.id AND kind = 'sync'))
          + make_interval(secs => 60 * (connector.config->>'syncEveryMinutes')::float8) <= now()
      LIMIT ${BATCH}
      FOR NO KEY UPDATE OF state SKIP LOCKED)
    RETURNING connector_id AS "connectorId"`;
  return due.map(({ connectorId }) => connectorId);
}

// --- Permission refreshes ---

/** Requests a permission refresh, which starts as soon as no job of the connector is active. */
export async function requestPermissionRefresh(tx: Prisma.TransactionClient, connectorId: string): Promise<void> {
  await tx.syncState.updateMany({ where: { connectorId }, data: { permissionsDue: true } });
}

/** Returns the connectors with a requested permission refresh and no active job. */
export async function findDuePermissionRefreshes(ctx: Context): Promise<readonly string[]> {
  const due = await ctx.db.syncState.findMany({
    where: { permissionsDue: true, connector: { status: { in: ['active', 'error'] } } },
    select: { connectorId: true },
    take: BATCH,
  });
  return due.map(({ connectorId }) => connectorId);
}
