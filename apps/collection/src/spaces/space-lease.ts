import type { Context } from '#context';

/** Failed trainings are tried again after this, then twice as long each time. */
const FIRST_RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 60 * 60_000;

const until = (ms: number) => new Date(Date.now() + ms);

/**
 * Does `work` on a space while this process alone holds its lease; false where another holds it. The lease is renewed as long as the work goes on,
 * and given back at its end; of a process that is killed it runs out. Work that fails is put off.
 */
export async function withLease(
  { db, log, config }: Pick<Context, 'db' | 'log' | 'config'>,
  spaceId: string,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<boolean> {
  const leaseMs = config.SPACE_LEASE_MS;
  const { count } = await db.space.updateMany({
    where: { id: spaceId, OR: [{ leasedUntil: null }, { leasedUntil: { lt: new Date() } }] },
    data: { leasedUntil: until(leaseMs), attempts: { increment: 1 } },
  });
  if (count === 0) return false;
  const renewing = setInterval(() => {
    db.space
      .updateMany({ where: { id: spaceId }, data: { leasedUntil: until(leaseMs) } })
      .catch((err: unknown) => log.warn({ err, spaceId }, 'the lease of a space was not renewed'));
  }, leaseMs / 3);
  try {
    await work();
    await db.space.updateMany({ where: { id: spaceId }, data: { leasedUntil: null, attempts: 0 } });
    return true;
  } catch (error) {
    await giveBack(db, spaceId, signal.aborted);
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

/** A stopping service gives the work back at once; work that failed waits, longer each time. */
async function giveBack(db: Context['db'], spaceId: string, stopping: boolean): Promise<void> {
  const space = await db.space.findUnique({ where: { id: spaceId }, select: { attempts: true } });
  const waitMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.max(0, (space?.attempts ?? 1) - 1));
  const data = stopping ? { leasedUntil: null, attempts: 0 } : { leasedUntil: until(waitMs) };
  await db.space.updateMany({ where: { id: spaceId }, data });
}
