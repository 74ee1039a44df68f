import type { GetDocumentRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { toDocumentRecord } from '#documents/document-record';
import { findDocument } from '#documents/find-document';
import { summarizeDocument } from '#documents/summarize-document';

/** Returns a document's summary, created at the first request. */
export const getDocumentSummary = (context: Context) => async (request: GetDocumentRequest, call: ServiceCall) => {
  const row = await findDocument(context, call.caller, request.id);
  return { document: toDocumentRecord(row, call.caller), summary: await summarizeDocument(context, row, call.signal) };
};
