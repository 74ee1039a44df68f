import { type Logger, type Running, repeat } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';
import type { ActiveRuns } from '#runs/active-runs';

const CANCEL_MS = 1_000;
const ALIVE_MS = 10_000;
/** A run whose process has given no sign of life for so many seconds is given up. With the interval of the sweep below a minute. */
const DEAD_SECONDS = 35;
const SWEEP_MS = 15_000;

/**
 * What keeps rows and runs in step: runs that are cancelled at another replica end here, runs at work show that they are alive, and those
 * that a crash has left behind are ended.
 */
export function watchRuns({
  db,
  runs,
  log,
}: {
  readonly db: PrismaClient;
  readonly runs: ActiveRuns;
  readonly log: Logger;
}): Running {
  const loops = [
    repeat({ name: 'look for cancelled runs', intervalMs: CANCEL_MS, log }, () => cancelAsked(db, runs)),
    repeat({ name: 'keep runs alive', intervalMs: ALIVE_MS, log }, () => keepAlive(db, runs)),
    repeat({ name: 'end abandoned runs', intervalMs: SWEEP_MS, log }, async () => {
      const count = await endAbandoned(db);
      if (count > 0) log.warn({ count }, 'runs were abandoned by a process that stopped');
    }),
  ];
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) };
}

async function cancelAsked(db: PrismaClient, runs: ActiveRuns): Promise<void> {
  const ids = [...runs.ids()];
  if (ids.length === 0) return;
  const asked = await db.run.findMany({
    where: { id: { in: ids }, cancelAskedAt: { not: null } },
    select: { id: true },
  });
  for (const { id } of asked) runs.cancel(id);
}

async function keepAlive(db: PrismaClient, runs: ActiveRuns): Promise<void> {
  const ids = [...runs.ids()];
  if (ids.length > 0) await db.$executeRaw`UPDATE runs SET alive_at = now() WHERE id = ANY(${ids})`;
}

/** Ends the runs that nobody works on any more; answers how many there were. */
export function endAbandoned(db: PrismaClient): Promise<number> {
  return db.$executeRaw`
    UPDATE runs SET status = 'failed', completed_at = now(),
      error = '{"code": "unavailable", "message": "The service stopped while it worked on this run. Try again."}'
    WHERE status = 'running' AND alive_at < now() - ${DEAD_SECONDS} * interval '1 second'`;
}
