import { AppError } from '@lectern/service-kit';
import type { Connector } from '#gen/prisma/client';
import type { Context } from '../context.ts';
import { cancelForDeletedCollection } from '../jobs/cancel-for-collection.ts';

/** Throws `conflict` where the collection that a connector fills does not exist any more, and notes it on the connector. */
export async function requireCollection(ctx: Context, connector: Connector, signal: AbortSignal): Promise<void> {
  const { teamId, collectionId } = connector;
  if (await ctx.index.collectionExists(teamId, collectionId, signal)) return;
  await cancelForDeletedCollection(ctx, teamId, collectionId);
  throw new AppError('conflict', 'The collection of this connector was deleted; make a connector for another one.', {
    details: { collection: collectionId },
  });
}
