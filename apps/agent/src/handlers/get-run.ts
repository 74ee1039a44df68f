import type { GetRunRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { readAgent } from '#agents/access';
import type { Context } from '#context';
import { readRun } from '#runs/read-run';
import { toRun } from '#runs/to-run';

/** One run with its steps. */
export const getRun =
  ({ db }: Context) =>
  async ({ agentId, id }: GetRunRequest, { caller }: ServiceCall) => {
    await readAgent(db, caller, agentId);
    const run = await readRun(db, caller, agentId, id);
    const steps = await db.runStep.findMany({ where: { runId: id }, orderBy: { number: 'asc' } });
    return toRun(run, steps);
  };
