import type { DeleteConnectorRequest, DeleteConnectorResponse } from '@lectern/contracts';
import { notFound, type ServiceCall } from '@lectern/service-kit';
import { findConnector } from '#connectors/connector';
import type { Context } from '#context';
import { finishDeletion, markDeleting } from '#maintenance/delete-connector';

export const deleteConnector =
  (ctx: Context) =>
  async (
    { id, keepDocuments, precondition }: DeleteConnectorRequest,
    call: ServiceCall,
  ): Promise<DeleteConnectorResponse> => {
    const connector = await findConnector(ctx, call.caller, id);
    if (connector.status === 'deleting') throw notFound('connector', id);
    await markDeleting(ctx, connector, { keepDocuments, precondition });
    // The mark is stored, so the sweeper completes the deletion if this fails.
    await finishDeletion(ctx, { ...connector, keepDocuments }, call.signal).catch((err: unknown) =>
      call.log.warn({ err, connectorId: id }, 'could not finish deleting a connector; the sweeper will retry'),
    );
    return { id };
  };
