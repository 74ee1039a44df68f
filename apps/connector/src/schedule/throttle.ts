import type { SourceError } from '@lectern/connectors';
import type { Context } from '../context.ts';

/** What a source that does not say how long is given, by how often it has asked without a success between. */
const BACKOFF_MS = [5_000, 15_000, 30_000, 60_000, 120_000, 300_000];

/** Type names as people write them. */
const NAMES: Readonly<Record<string, string>> = {
  s3: 'S3',
  google_drive: 'Google Drive',
  github: 'GitHub',
  postgresql: 'PostgreSQL',
};

const nameOf = (type: string): string => NAMES[type] ?? type.charAt(0).toUpperCase() + type.slice(1);

/**
 * Leaves a connector's source alone for as long as it asks: no item is begun and nothing is listed until then, and whoever looks at the
 * job is told why. No worker waits for it. Answers with the milliseconds of the wait.
 */
export async function throttle(
  ctx: Context,
  { connectorId, type }: { readonly connectorId: string; readonly type: string },
  error: SourceError,
): Promise<number> {
  const waits = BACKOFF_MS.map((ms) => ms / 1_000);
  const asked = error.retryAt ?? null;
  const reason = `Waiting for ${nameOf(type)}: ${error.message}`;
  const [state] = await ctx.db.$queryRaw<{ waitMs: number }[]>`
    UPDATE sync_states
    SET throttles = throttles + CASE WHEN throttled_until > now() THEN 0 ELSE 1 END,
      throttled_until = greatest(throttled_until, coalesce(${asked}::timestamptz,
        now() + make_interval(secs => (${waits}::float8[])[least(throttles + 1, ${waits.length})]))),
      throttle_reason = ${reason}
    WHERE connector_id = ${connectorId}
    RETURNING greatest(0, extract(epoch FROM throttled_until - now()) * 1000)::float8 AS "waitMs"`;
  return state?.waitMs ?? 0;
}

/** The source has given something again. */
export async function calmDown(ctx: Context, connectorId: string): Promise<void> {
  await ctx.db.$executeRaw`
    UPDATE sync_states SET throttles = 0 WHERE connector_id = ${connectorId} AND throttles > 0
      AND (throttled_until IS NULL OR throttled_until <= now())`;
}

/** Why a job of a connector does not move, where its source is being left alone. */
export function throttleReason(
  state: { readonly throttledUntil: Date | null; readonly throttleReason: string | null } | null | undefined,
): string | undefined {
  if (state?.throttledUntil == null || state.throttledUntil <= new Date()) return undefined;
  return `${state.throttleReason ?? 'Waiting for the source.'} It goes on at ${state.throttledUntil.toISOString()}.`;
}
