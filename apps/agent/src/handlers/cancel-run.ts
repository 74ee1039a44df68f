import { setTimeout as pause } from 'node:timers/promises';
import type { CancelRunRequest } from '@lectern/contracts';
import { AppError, type ServiceCall } from '@lectern/service-kit';
import { readAgent } from '#agents/access';
import type { Context } from '#context';
import { readRun } from '#runs/read-run';
import { toReadableRun } from '#runs/readable-runs';

/** Milliseconds to wait for a run to end on any replica, and between two checks. */
const WAIT_MS = 3_000;
const POLL_MS = 50;

/**
 * Cancels a run and returns it once it has ended, or after three seconds. Throws `conflict` if it
 * had already ended.
 */
export const cancelRun =
  (context: Context) =>
  async ({ agentId, id }: CancelRunRequest, call: ServiceCall) => {
    const { db, runs } = context;
    const { caller, signal } = call;
    await readAgent(context, call, agentId);
    await readRun(db, caller, agentId, id);
    const { count } = await db.run.updateMany({
      where: { id, status: 'running' },
      data: { cancelAskedAt: new Date() },
    });
    if (count === 0) {
      throw new AppError('conflict', 'The run has already ended.', { details: { resource: 'run', id } });
    }
    runs.cancel(id);
    const until = performance.now() + WAIT_MS;
    let run = await readRun(db, caller, agentId, id);
    while (run.status === 'running' && performance.now() < until) {
      await pause(POLL_MS, undefined, { signal });
      run = await readRun(db, caller, agentId, id);
    }
    const steps = await db.runStep.findMany({ where: { runId: id }, orderBy: { number: 'asc' } });
    return toReadableRun(context, call, { run, steps });
  };
