import type { DeleteConnectorDocumentRequest, DeleteConnectorDocumentResponse } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { findConnector } from '../connectors/find-connector.ts';
import type { Context } from '../context.ts';
import { forgetDocuments } from '../files/forget-documents.ts';

export const deleteConnectorDocument =
  (ctx: Context) =>
  async (request: DeleteConnectorDocumentRequest, call: ServiceCall): Promise<DeleteConnectorDocumentResponse> => {
    const { connectorId, documentId } = request;
    const { teamId } = await findConnector(ctx, call.caller, connectorId);
    await ctx.index.removeFor(call, request);
    // The document is gone in any case; what its file says is put right by the announcement of it where this fails.
    await forgetDocuments(ctx.db, teamId, [documentId]).catch((err: unknown) =>
      call.log.warn({ err, documentId }, 'the file of a deleted document still names it'),
    );
    return { id: documentId };
  };
