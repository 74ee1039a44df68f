import type { Context } from '#context';
import type { Connector } from '#gen/prisma/client';

/** Queues the new items of a job. After a failure, the sweeper does it. */
export async function continueJob(
  ctx: Context,
  { id: connectorId, teamId }: Pick<Connector, 'id' | 'teamId'>,
  jobId: string | undefined | null,
): Promise<void> {
  if (jobId == null) return;
  await ctx.dispatcher
    .dispatch({ teamId, connectorId, jobId })
    .catch((err: unknown) => ctx.log.warn({ err, jobId }, 'could not queue the items; the sweeper will retry'));
}
