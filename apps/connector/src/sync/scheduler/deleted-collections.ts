import { collectionDeleted } from '@lectern/messaging';
import { AppError } from '@lectern/service-kit';
import { moveConnector } from '#connectors/connector';
import type { Context } from '#context';
import type { Connector } from '#gen/prisma/client';
import { ACTIVE_JOB, endJobEarly } from '#sync/store/jobs';

const REASON = 'The collection of this connector was deleted.';
const ERROR = { code: 'collection_deleted', message: 'The collection was deleted during this sync.' };

/**
 * Cancels the jobs of a deleted collection's connectors and puts the connectors into the error
 * state.
 */
export async function cancelForDeletedCollection(ctx: Context, teamId: string, collectionId: string): Promise<void> {
  const connectors = await ctx.db.connector.findMany({
    where: { teamId, collectionId, status: { not: 'deleting' } },
    select: { id: true, jobs: { where: { status: { in: ACTIVE_JOB } }, select: { id: true } } },
  });
  for (const { id, jobs } of connectors) {
    for (const job of jobs) {
      await endJobEarly(ctx, job.id, { job: 'cancelled', error: ERROR, connector: 'error', reason: REASON });
    }
    await ctx.db.$transaction((tx) => moveConnector(tx, id, 'error', { statusReason: REASON }));
  }
}

/**
 * Subscribes to collection deletions. A missed event is harmless: the next indexed item fails with
 * `not_found`.
 */
export function subscribeToDeletedCollections(ctx: Context): () => void {
  return ctx.messaging.listen(collectionDeleted, [], ({ teamId, collectionId }) => {
    cancelForDeletedCollection(ctx, teamId, collectionId).catch((err: unknown) =>
      ctx.log.warn(
        { err, collectionId },
        'could not cancel the syncs of a deleted collection; they end at their next item',
      ),
    );
  });
}

/**
 * Throws `conflict` if the connector's collection was deleted, and cancels the connector's jobs.
 */
export async function requireCollection(ctx: Context, connector: Connector, signal: AbortSignal): Promise<void> {
  const { teamId, collectionId } = connector;
  if (await ctx.index.collectionExists(teamId, collectionId, signal)) return;
  await cancelForDeletedCollection(ctx, teamId, collectionId);
  throw new AppError(
    'conflict',
    'The collection of this connector was deleted. Create a connector for another collection.',
    {
      details: { collection: collectionId },
    },
  );
}
