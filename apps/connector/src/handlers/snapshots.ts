import {
  type CompleteSnapshotRequest,
  type GetSnapshotRequest,
  isId,
  type Snapshot,
  type StartSnapshotRequest,
} from '@lectern/contracts';
import { type Caller, invalidRequest, type ServiceCall } from '@lectern/service-kit';
import { type ConnectorRow, findConnector } from '#connectors/connector';
import { requirePushable } from '#connectors/settings';
import type { Context } from '#context';
import { completeSnapshot as complete } from '#push/complete-snapshot';
import { viewSnapshot } from '#push/snapshot-view';
import { cancelSnapshot as cancel, findSnapshot, startSnapshot as start } from '#push/snapshots';
import { continueJob } from '#sync/scheduler/continue-job';
import { requireCollection } from '#sync/scheduler/deleted-collections';

async function findPushable(ctx: Context, caller: Caller, id: string): Promise<ConnectorRow> {
  const connector = await findConnector(ctx, caller, id);
  requirePushable(ctx, connector);
  return connector;
}

export const startSnapshot =
  (ctx: Context) =>
  async ({ connectorId, id }: StartSnapshotRequest, call: ServiceCall): Promise<Snapshot> => {
    if (id !== undefined && !isId('snapshot', id)) {
      throw invalidRequest([{ path: 'id', message: 'must be the id of a snapshot' }]);
    }
    const connector = await findPushable(ctx, call.caller, connectorId);
    await requireCollection(ctx, connector, call.signal);
    return viewSnapshot(ctx, await start(ctx, connector.id, id));
  };

export const getSnapshot =
  (ctx: Context) =>
  async ({ connectorId, snapshotId }: GetSnapshotRequest, { caller }: ServiceCall): Promise<Snapshot> => {
    const { id } = await findPushable(ctx, caller, connectorId);
    return viewSnapshot(ctx, await findSnapshot(ctx.db, id, snapshotId));
  };

export const completeSnapshot =
  (ctx: Context) =>
  async (request: CompleteSnapshotRequest, { caller }: ServiceCall): Promise<Snapshot> => {
    const connector = await findPushable(ctx, caller, request.connectorId);
    const { snapshotId: id, confirmDeletions } = request;
    const snapshot = await complete(ctx, connector, { id, confirmDeletions });
    await continueJob(ctx, connector, snapshot.jobId);
    return viewSnapshot(ctx, snapshot);
  };

export const cancelSnapshot =
  (ctx: Context) =>
  async ({ connectorId, snapshotId }: GetSnapshotRequest, { caller }: ServiceCall): Promise<Snapshot> => {
    const { id } = await findPushable(ctx, caller, connectorId);
    return viewSnapshot(ctx, await cancel(ctx, id, snapshotId));
  };
