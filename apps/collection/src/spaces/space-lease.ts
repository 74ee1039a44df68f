import { backoffMs, failureReason, holdLease } from '@lectern/resilience';
import type { Context } from '#context';

/** The wait before a failed training is retried; doubles with each failure. */
const BACKOFF = { minDelayMs: 10_000, maxDelayMs: 60 * 60_000 } as const;

const until = (ms: number) => new Date(Date.now() + ms);

/**
 * Runs `work` on a space under an exclusive lease; returns false if another process has it. The
 * lease is renewed while the work runs and released at its end; it expires if the process is killed.
 * Failed work is retried after a backoff.
 */
export async function withLease(
  { db, log, config }: Pick<Context, 'db' | 'log' | 'config'>,
  spaceId: string,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const leaseMs = config.SPACE_LEASE_MS;
  const { count } = await db.space.updateMany({
    where: { id: spaceId, OR: [{ leasedUntil: null }, { leasedUntil: { lt: new Date() } }] },
    data: { leasedUntil: until(leaseMs), attempts: { increment: 1 } },
  });
  if (count === 0) return false;
  const renew = async () => {
    const renewed = await db.space.updateMany({ where: { id: spaceId }, data: { leasedUntil: until(leaseMs) } });
    return renewed.count > 0;
  };
  const onRenewError = (err: unknown) => log.warn({ err, spaceId }, 'could not renew the lease of a space');
  const lease = holdLease(renew, { leaseMs, stop, onRenewError });
  try {
    await work(lease.signal);
    await db.space.updateMany({ where: { id: spaceId }, data: { leasedUntil: null, attempts: 0 } });
    return true;
  } catch (error) {
    await releaseAfterFailure(db, spaceId, stop.aborted);
    throw failureReason(error, lease.signal);
  } finally {
    lease.stopRenewing();
  }
}

/** Releases the lease immediately if the service stops, else after a backoff. */
async function releaseAfterFailure(db: Context['db'], spaceId: string, stopping: boolean): Promise<void> {
  const space = await db.space.findUnique({ where: { id: spaceId }, select: { attempts: true } });
  const waitMs = backoffMs(space?.attempts ?? 1, BACKOFF);
  const data = stopping ? { leasedUntil: null, attempts: 0 } : { leasedUntil: until(waitMs) };
  await db.space.updateMany({ where: { id: spaceId }, data });
}
