import { type Consumption, documentIndex } from '@lectern/messaging';
import { AppError } from '@lectern/service-kit';
import type { Context } from '#context';
import { failDocument } from '#documents/fail-document';
import { statesBefore } from '#documents/status';
import { indexDocument } from '#indexing/index-document';

/** Indexes documents that were made through the API. */
export function consumeDocumentIndex(context: Context): Consumption {
  const { db, messaging, config } = context;
  return messaging.consume(
    documentIndex,
    async ({ documentId: id, teamId }, { signal }) => {
      const row = await db.document.findFirst({ where: { id, teamId } });
      // Deleted meanwhile, or a message that came twice.
      if (row === null || row.status === 'deleted' || row.indexedVersion === row.version) return;
      await db.document.updateMany({
        where: { id, version: row.version, status: { in: statesBefore('processing') } },
        data: { status: 'processing', errorCode: null, errorMessage: null },
      });
      try {
        await indexDocument(context, id, signal);
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'not_found')) throw error;
      }
    },
    {
      concurrency: config.INDEX_CONCURRENCY,
      onDead: async ({ documentId, teamId }) => {
        await failDocument(context, teamId, documentId, {
          code: 'indexing_failed',
          message: 'The document could not be indexed. Send it again, or look at the log of the collection service.',
        });
      },
    },
  );
}
