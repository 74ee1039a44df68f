import type { DeleteConnectorDocumentsRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { deleteDocuments } from '#documents/delete-documents';

/** Deletes all documents of a connector within the caller's scope. */
export const deleteConnectorDocuments =
  (context: Context) => async (request: DeleteConnectorDocumentsRequest, call: ServiceCall) => {
    const { scope, teamId } = call.caller;
    const deleted = await deleteDocuments(context, {
      teamId,
      connectorId: request.connectorId,
      ...(scope.kind === 'all' ? {} : { collectionId: { in: [...scope.ids] } }),
    });
    return { deleted: deleted.length };
  };
