import { type Consumption, documentIndex } from '@lectern/messaging';
import { createByteBudget } from '@lectern/resilience';
import { AppError } from '@lectern/service-kit';
import type { Context } from '#context';
import { failDocument } from '#documents/fail-document';
import { indexVersion } from '#indexing/index-document';

/** Bytes of text to process at the same time, over all documents. */
const MAX_TEXT_BYTES = 32 * 1024 * 1024;

/** Indexes documents created through the API. */
export function consumeDocumentIndex(context: Context): Consumption {
  const { messaging, config, writes } = context;
  const budget = createByteBudget(MAX_TEXT_BYTES);
  return messaging.consume(
    documentIndex,
    async ({ documentId: id, teamId }, { signal }) => {
      const row = await writes.begin({ id, teamId });
      // Deleted in the meantime, or a duplicate message.
      if (row === undefined) return;
      await budget.within(row.sizeBytes, async () => {
        const content = await writes.readContent(row);
        if (content === undefined) return;
        try {
          await indexVersion(context, row, content, signal);
        } catch (error) {
          if (!(error instanceof AppError && error.code === 'not_found')) throw error;
        }
      });
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
