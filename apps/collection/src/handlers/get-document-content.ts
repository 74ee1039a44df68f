import type { GetDocumentRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { toDocumentRecord } from '#documents/document-record';
import { findDocument } from '#documents/find-document';

/** Returns a document's record and full text; the text is empty until it has been read. */
export const getDocumentContent = (context: Context) => async (request: GetDocumentRequest, call: ServiceCall) => {
  const row = await findDocument(context, call.caller, request.id);
  const stored = await context.db.documentContent.findUnique({
    where: { documentId: row.id },
    select: { content: true },
  });
  return { document: toDocumentRecord(row, call.caller), content: stored?.content ?? '' };
};
