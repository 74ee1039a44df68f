import { setTimeout as pause } from 'node:timers/promises';
import type { CancelRunRequest } from '@lectern/contracts';
import { AppError, type ServiceCall } from '@lectern/service-kit';
import { readAgent } from '#agents/access';
import type { Context } from '#context';
import { readRun } from '#runs/read-run';
import { toReadableRun } from '#runs/readable-runs';

/** Milliseconds to wait for the end of a run, wherever it is at work, and between two looks at it. */
const WAIT_MS = 3_000;
const LOOK_MS = 50;

/** Cancels a run, and answers it as it stands when it has ended, or when that takes too long. Throws `conflict` for one that had ended before. */
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
      await pause(LOOK_MS, undefined, { signal });
      run = await readRun(db, caller, agentId, id);
    }
    const steps = await db.runStep.findMany({ where: { runId: id }, orderBy: { number: 'asc' } });
    return toReadableRun(context, call, { run, steps });
  };
