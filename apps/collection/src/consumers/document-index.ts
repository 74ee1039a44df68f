import { type Consumption, documentIndex } from '@lectern/messaging';
import { AppError } from '@lectern/service-kit';
import type { Context } from '#context';
import { failDocument } from '#documents/fail-document';
import { indexVersion } from '#indexing/index-document';
import { createTextBudget } from '#indexing/text-budget';

/** Indexes documents created through the API. */
export function consumeDocumentIndex(context: Context): Consumption {
  const { messaging, config, writes } = context;
  const budget = createTextBudget();
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
