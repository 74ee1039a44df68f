import type { GetDocumentRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { toDocumentRecord } from '#documents/document-record';
import { findDocument } from '#documents/find-document';

/** Returns a document's record. */
export const getDocument = (context: Context) => async (request: GetDocumentRequest, call: ServiceCall) =>
  toDocumentRecord(await findDocument(context, call.caller, request.id), call.caller);
