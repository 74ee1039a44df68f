import { AppError } from '@lectern/service-kit';
import type { Context } from '../context.ts';
import { PERMISSION_REFRESH, type SyncOrder, startSync } from '../jobs/start-sync.ts';

const BY_SCHEDULE: SyncOrder = { mode: 'auto', fileFilter: [], confirmDeletions: false, scheduled: true };
/** Connectors in one round. */
const ROUND = 50;

async function start(ctx: Context, connectorId: string, order: SyncOrder): Promise<void> {
  const connector = await ctx.db.connector.findUnique({ where: { id: connectorId } });
  if (connector === null) return;
  try {
    const { id: jobId } = await startSync(ctx, connector, order);
    ctx.log.info({ connectorId, jobId, kind: order.kind ?? 'sync' }, 'job started by itself');
  } catch (err) {
    // Somebody was faster; the next time comes.
    if (!(err instanceof AppError) || err.code !== 'conflict') throw err;
  }
}

/**
 * Starts the syncs whose time has come: `config.syncEveryMinutes` after the last one began, or after the connector was made. The time is
 * taken in the statement that finds it, so of several replicas one starts the job.
 */
export async function startScheduled(ctx: Context): Promise<void> {
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
      LIMIT ${ROUND}
      FOR NO KEY UPDATE OF state SKIP LOCKED)
    RETURNING connector_id AS "connectorId"`;
  for (const { connectorId } of due) await start(ctx, connectorId, BY_SCHEDULE);
}

/** Starts the permission refreshes that a change of config has asked for, as soon as no other job is at work. */
export async function startPermissionRefreshes(ctx: Context): Promise<void> {
  const due = await ctx.db.syncState.findMany({
    where: { permissionsDue: true, connector: { status: { in: ['active', 'error'] } } },
    select: { connectorId: true },
    take: ROUND,
  });
  for (const { connectorId } of due) await start(ctx, connectorId, { ...PERMISSION_REFRESH, scheduled: true });
}
