import type { DeleteDocumentRequest } from '@lectern/contracts';
import { documentDeleted } from '@lectern/messaging';
import { notFound, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { deleteOneDocument } from '#documents/delete-documents';
import { findDocument } from '#documents/find-document';

/** Deletes one document. */
export const deleteDocument = (context: Context) => async (request: DeleteDocumentRequest, call: ServiceCall) => {
  const { id, connectorId } = await findDocument(context, call.caller, request.id);
  if (request.connectorId !== undefined && request.connectorId !== connectorId) throw notFound('document', id);
  // Another request deleted it first.
  if (!(await deleteOneDocument(context, { id, teamId: call.caller.teamId }, request.precondition)))
    throw notFound('document', id);
  if (connectorId !== null) context.messaging.announce(documentDeleted, { teamId: call.caller.teamId, documentId: id });
  return { id };
};
