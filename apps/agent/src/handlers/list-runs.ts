import type { ListRunsRequest } from '@lectern/contracts';
import { pageInfo, readPage, type ServiceCall } from '@lectern/service-kit';
import { readAgent } from '#agents/access';
import type { Context } from '#context';
import { visibleRuns } from '#runs/read-run';
import { toRun } from '#runs/to-run';

/** An agent's runs that the caller sees, newest first, without their steps. */
export const listRuns =
  ({ db }: Context) =>
  async ({ agentId, page: asked }: ListRunsRequest, { caller }: ServiceCall) => {
    await readAgent(db, caller, agentId);
    const page = readPage(asked);
    const where = { ...visibleRuns(caller), agentId };
    const [runs, total] = await db.$transaction([
      db.run.findMany({ where, orderBy: [{ startedAt: 'desc' }, { id: 'desc' }], skip: page.skip, take: page.take }),
      db.run.count({ where }),
    ]);
    return { runs: runs.map((run) => toRun(run)), page: pageInfo(page, total) };
  };
