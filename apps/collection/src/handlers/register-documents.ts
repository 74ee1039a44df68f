import type { RegisterDocumentsRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { findCollection } from '#collections/find-collection';
import type { Context } from '#context';
import { toDocumentRecord } from '#documents/document-record';
import { registerDocuments as register } from '#documents/register-documents';

/** Creates `pending` documents for a connector's items. */
export const registerDocuments = (context: Context) => async (request: RegisterDocumentsRequest, call: ServiceCall) => {
  const { teamId, id: collectionId } = await findCollection(context, call.caller, request.collectionId);
  const { connectorId, source, items } = request;
  const rows = await register(context, { teamId, collectionId, connectorId, source, items });
  return { documents: rows.map((row) => toDocumentRecord(row, call.caller)) };
};
