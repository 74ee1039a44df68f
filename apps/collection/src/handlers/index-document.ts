import { type IndexDocumentRequest, toPrincipals } from '@lectern/contracts';
import { notFound, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { toDocumentRecord } from '#documents/document-record';
import { findDocument } from '#documents/find-document';
import { storeContent } from '#documents/store-content';
import { noteMissingGroups } from '#groups/note-missing-groups';
import { indexVersion } from '#indexing/index-document';

/** Stores a document's content and indexes it before it returns. */
export const indexDocument = (context: Context) => async (request: IndexDocumentRequest, call: ServiceCall) => {
  const { id, teamId, connectorId } = await findDocument(context, call.caller, request.id);
  const principals = toPrincipals(request.principals);
  if (connectorId !== null) await noteMissingGroups(context.db, { connectorId, renew: false }, principals);
  const row = await storeContent(context, { id, teamId }, { ...request, principals });
  if (row === undefined) throw notFound('document', id);
  return toDocumentRecord(await indexVersion(context, row, request.content, call.signal), call.caller);
};
