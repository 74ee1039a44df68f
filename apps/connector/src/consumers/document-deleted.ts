import { documentDeleted } from '@lectern/messaging';
import type { Context } from '../context.ts';
import { forgetDocuments } from '../files/forget-documents.ts';

/** Hears of documents that somebody deleted. Missing one leaves a file naming a document that is gone, until its item is worked again. */
export function hearDeletedDocuments(ctx: Context): () => void {
  return ctx.messaging.listen(documentDeleted, [], ({ teamId, documentId }) => {
    forgetDocuments(ctx.db, teamId, [documentId]).catch((err: unknown) =>
      ctx.log.warn({ err, documentId }, 'the file of a deleted document still names it'),
    );
  });
}
