import type { DeleteItemRequest, DeleteItemResponse } from '@lectern/contracts';
import { notFound, type ServiceCall } from '@lectern/service-kit';
import { findConnector } from '#connectors/connector';
import { requirePushable } from '#connectors/settings';
import type { Context } from '#context';
import { deleteItem as deletePushedItem } from '#push/delete-item';
import { continueJob } from '#sync/scheduler/continue-job';

export const deleteItem =
  (ctx: Context) =>
  async (request: DeleteItemRequest, { caller }: ServiceCall): Promise<DeleteItemResponse> => {
    const connector = await findConnector(ctx, caller, request.connectorId);
    requirePushable(ctx, connector);
    const result = await deletePushedItem(ctx, connector, request);
    if (result === undefined) throw notFound('item', request.id);
    await continueJob(ctx, connector, result.jobId);
    return result;
  };
