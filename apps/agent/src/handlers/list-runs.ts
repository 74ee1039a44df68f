import type { ListRunsRequest } from '@lectern/contracts';
import { pageInfo, readPage, type ServiceCall } from '@lectern/service-kit';
import { readAgent } from '#agents/access';
import type { Context } from '#context';
import { visibleRuns } from '#runs/read-run';
import { toReadableRuns } from '#runs/readable-runs';

/** Lists an agent's runs that are visible to the caller, newest first, without steps. */
export const listRuns =
  (context: Context) =>
  async ({ agentId, page: pageRequest }: ListRunsRequest, call: ServiceCall) => {
    const { db } = context;
    const { caller } = call;
    await readAgent(context, call, agentId);
    const page = readPage(pageRequest);
    const where = { ...visibleRuns(caller), agentId };
    const [runs, total] = await db.$transaction([
      db.run.findMany({ where, orderBy: [{ startedAt: 'desc' }, { id: 'desc' }], skip: page.skip, take: page.take }),
      db.run.count({ where }),
    ]);
    const stored = runs.map((run) => ({ run }));
    return { runs: await toReadableRuns(context, call, stored), page: pageInfo(page, total) };
  };
