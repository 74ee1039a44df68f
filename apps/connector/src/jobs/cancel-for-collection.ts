import { moveConnector } from '../connectors/connector-machine.ts';
import type { Context } from '../context.ts';
import { endJobEarly } from './end-job.ts';
import { ACTIVE_JOB } from './job-machine.ts';

const REASON = 'Its collection was deleted.';
const ERROR = { code: 'collection_deleted', message: 'The collection was deleted while this sync ran.' };

/** What a deleted collection means: its connectors have nowhere to put documents, and their jobs end as cancelled. */
export async function cancelForDeletedCollection(ctx: Context, teamId: string, collectionId: string): Promise<void> {
  const connectors = await ctx.db.connector.findMany({
    where: { teamId, collectionId, status: { not: 'deleting' } },
    select: { id: true, jobs: { where: { status: { in: ACTIVE_JOB } }, select: { id: true } } },
  });
  for (const { id, jobs } of connectors) {
    for (const job of jobs) {
      await endJobEarly(ctx, job.id, { job: 'cancelled', error: ERROR, connector: 'error', reason: REASON });
    }
    await moveConnector(ctx.db, id, 'error', { statusReason: REASON });
  }
}
