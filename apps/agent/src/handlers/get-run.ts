import type { GetRunRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { readAgent } from '#agents/access';
import type { Context } from '#context';
import { readRun } from '#runs/read-run';
import { toReadableRun } from '#runs/readable-runs';

/** Returns a run with its steps. */
export const getRun =
  (context: Context) =>
  async ({ agentId, id }: GetRunRequest, call: ServiceCall) => {
    const { db } = context;
    const { caller } = call;
    await readAgent(context, call, agentId);
    const run = await readRun(db, caller, agentId, id);
    const steps = await db.runStep.findMany({ where: { runId: id }, orderBy: { number: 'asc' } });
    return toReadableRun(context, call, { run, steps });
  };
