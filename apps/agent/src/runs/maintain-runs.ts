import { renewTogether } from '@lectern/resilience';
import { type Logger, type Running, repeat } from '@lectern/service-kit';
import { endOrphans, expireApprovals } from '#approvals/approval-rows';
import type { PrismaClient } from '#gen/prisma/client';
import type { ActiveRuns } from '#runs/active-runs';
import { removeOldRuns } from '#runs/retention';
import { endAbandonedRuns } from '#runs/run-store';

const CANCEL_MS = 1_000;
/**
 * A run without a heartbeat for this many seconds is abandoned. Detected in less than a minute,
 * with the sweep's interval.
 */
const LEASE_SECONDS = 35;
const SWEEP_MS = 15_000;
const REMOVE_MS = 300_000;

/**
 * Synchronizes rows and active runs: cancels runs that were cancelled on another replica, renews
 * the heartbeats of active runs, and ends runs of crashed processes.
 */
export function maintainRuns({
  db,
  runs,
  log,
}: {
  readonly db: PrismaClient;
  readonly runs: ActiveRuns;
  readonly log: Logger;
}): Running {
  const loops = [
    repeat({ name: 'find cancelled runs', intervalMs: CANCEL_MS, log }, () => cancelRequested(db, runs)),
    renewTogether({
      leaseMs: LEASE_SECONDS * 1_000,
      keys: () => runs.ids(),
      renew: (ids) => db.$executeRaw`UPDATE runs SET alive_at = now() WHERE id = ANY(${[...ids]})`,
      onRenewError: (err) => log.warn({ err }, 'could not renew the heartbeats of runs'),
    }),
    repeat({ name: 'end abandoned runs', intervalMs: SWEEP_MS, log }, async () => {
      const count = await endAbandonedRuns(db, LEASE_SECONDS);
      await expireApprovals(db);
      await endOrphans(db);
      if (count > 0) log.warn({ count }, 'ended runs of a process that stopped');
    }),
    repeat({ name: 'remove old runs', intervalMs: REMOVE_MS, log }, (signal) => removeOldRuns(db, signal)),
  ];
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) };
}

async function cancelRequested(db: PrismaClient, runs: ActiveRuns): Promise<void> {
  const ids = [...runs.ids()];
  if (ids.length === 0) return;
  const requested = await db.run.findMany({
    where: { id: { in: ids }, cancelAskedAt: { not: null } },
    select: { id: true },
  });
  for (const { id } of requested) runs.cancel(id);
}
