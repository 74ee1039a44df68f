import type { DeleteConnectorDocumentRequest, DeleteConnectorDocumentResponse } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { findConnector } from '#connectors/connector';
import type { Context } from '#context';
import { markDocumentsDeleted } from '#files/files';

export const deleteConnectorDocument =
  (ctx: Context) =>
  async (request: DeleteConnectorDocumentRequest, call: ServiceCall): Promise<DeleteConnectorDocumentResponse> => {
    const { connectorId, documentId } = request;
    const { teamId } = await findConnector(ctx, call.caller, connectorId);
    await ctx.index.removeFor(call, request);
    // The document is deleted. If this fails, the deletion event updates the file.
    await markDocumentsDeleted(ctx.db, teamId, [documentId]).catch((err: unknown) =>
      call.log.warn({ err, documentId }, 'could not mark the file of a deleted document'),
    );
    return { id: documentId };
  };
