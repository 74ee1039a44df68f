import type { DeleteConnectorRequest, DeleteConnectorResponse } from '@lectern/contracts';
import { notFound, type ServiceCall } from '@lectern/service-kit';
import { finishDeletion, markDeleting } from '../connectors/delete-connector.ts';
import { findConnector } from '../connectors/find-connector.ts';
import type { Context } from '../context.ts';

export const deleteConnector =
  (ctx: Context) =>
  async (
    { id, keepDocuments, precondition }: DeleteConnectorRequest,
    call: ServiceCall,
  ): Promise<DeleteConnectorResponse> => {
    const connector = await findConnector(ctx, call.caller, id);
    if (connector.status === 'deleting') throw notFound('connector', id);
    await markDeleting(ctx, connector, { keepDocuments, precondition });
    // The mark is kept: what cannot be done now, the sweeper does.
    await finishDeletion(ctx, { ...connector, keepDocuments }, call.signal).catch((err: unknown) =>
      call.log.warn({ err, connectorId: id }, 'connector is not deleted yet'),
    );
    return { id };
  };
