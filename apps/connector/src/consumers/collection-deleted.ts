import { collectionDeleted } from '@lectern/messaging';
import type { Context } from '../context.ts';
import { cancelForDeletedCollection } from '../jobs/cancel-for-collection.ts';

/** Hears of deleted collections. Missing one is no loss: the next item that is handed over learns the same. */
export function hearDeletedCollections(ctx: Context): () => void {
  return ctx.messaging.listen(collectionDeleted, [], ({ teamId, collectionId }) => {
    cancelForDeletedCollection(ctx, teamId, collectionId).catch((err: unknown) =>
      ctx.log.warn({ err, collectionId }, 'syncs into a deleted collection go on until they notice'),
    );
  });
}
