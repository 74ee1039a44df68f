import type { IndexDocumentRequest } from '@lectern/contracts';
import { notFound, type ServiceCall, toPrincipals } from '@lectern/service-kit';
import type { Context } from '#context';
import { toDocumentRecord } from '#documents/document-record';
import { findDocument } from '#documents/find-document';
import { storeContent } from '#documents/store-content';
import { indexVersion } from '#indexing/index-document';

/** Stores a document's content and indexes it before it answers. */
export const indexDocument = (context: Context) => async (request: IndexDocumentRequest, call: ServiceCall) => {
  const { id, teamId } = await findDocument(context, call.caller, request.id);
  const row = await storeContent(context, { id, teamId }, { ...request, principals: toPrincipals(request.principals) });
  if (row === undefined) throw notFound('document', id);
  return toDocumentRecord(await indexVersion(context, row, request.content, call.signal), call.caller);
};
