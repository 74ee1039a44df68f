import type { SyncJob } from '#api/types.ts';

const MINUTE_MS = 60_000;
/** A shorter time gives no reliable pace. */
const MIN_ELAPSED_MS = 5_000;

/** How fast a job processes its items. */
export interface Pace {
  readonly perMinute: number;
  /** The estimated minutes until the end, at least 1. Undefined while the number of items is unknown. */
  readonly minutesLeft: number | undefined;
}

/** Returns the mean pace of a running job since its start. Undefined in its first seconds and without results. */
export function paceOf(
  { status, startedAt, progress }: Pick<SyncJob, 'status' | 'startedAt' | 'progress'>,
  now = Date.now(),
): Pace | undefined {
  const { total, indexed, skipped, failed } = progress;
  const done = indexed + skipped + failed;
  if (status !== 'running' || startedAt === null || done === 0) return undefined;
  const elapsedMs = now - Date.parse(startedAt);
  if (elapsedMs < MIN_ELAPSED_MS) return undefined;
  const perMinute = (done * MINUTE_MS) / elapsedMs;
  return {
    perMinute: Math.max(1, Math.round(perMinute)),
    minutesLeft: total > done ? Math.max(1, Math.ceil((total - done) / perMinute)) : undefined,
  };
}
