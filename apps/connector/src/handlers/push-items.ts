import type { ItemChange as ItemChangeMessage, PushItemsRequest, PushItemsResponse } from '@lectern/contracts';
import { toPrincipals } from '@lectern/contracts';
import { invalidRequest, type ServiceCall } from '@lectern/service-kit';
import { findConnector } from '#connectors/connector';
import { requirePushable } from '#connectors/settings';
import type { Context } from '#context';
import type { Change } from '#push/item-state';
import { type ItemChange, type NewContent, pushItems as pushConnectorItems } from '#push/push-items';
import { continueJob } from '#sync/scheduler/continue-job';
import { requireCollection } from '#sync/scheduler/deleted-collections';

const MAX_CHANGES = 100;

function toChange({ revision, change }: ItemChangeMessage, at: number): Change<NewContent> {
  switch (change?.$case) {
    case 'put': {
      const { content: bytes, principals, updatedAt, metadata, ...properties } = change.value;
      const content = { ...properties, bytes, metadata: metadata ?? {}, updatedAt: updatedAt?.toISOString() };
      const readers = principals === undefined ? {} : { principals: toPrincipals(principals.values) };
      return { action: 'put', revision, content, ...readers };
    }
    case 'permissions':
      return { action: 'permissions', revision, principals: toPrincipals(change.value.values) };
    case 'delete':
      return { action: 'delete', revision };
    default:
      throw invalidRequest([{ path: `items[${at}].action`, message: 'must be put, permissions or delete' }]);
  }
}

function toChanges(changes: readonly ItemChangeMessage[]): readonly ItemChange[] {
  if (changes.length > MAX_CHANGES) {
    throw invalidRequest([{ path: 'items', message: `must not contain more than ${MAX_CHANGES} items` }]);
  }
  return changes.map((change, at) => ({ id: change.id, change: toChange(change, at) }));
}

export const pushItems =
  (ctx: Context) =>
  async (request: PushItemsRequest, call: ServiceCall): Promise<PushItemsResponse> => {
    const { connectorId, snapshotId, invalidIds, hasInvalidId } = request;
    const connector = await findConnector(ctx, call.caller, connectorId);
    requirePushable(ctx, connector);
    await requireCollection(ctx, connector, call.signal);
    const push = { changes: toChanges(request.changes), snapshotId, invalidIds, hasInvalidId };
    const { results, jobId } = await pushConnectorItems(ctx, connector, push, call.signal);
    await continueJob(ctx, connector, jobId);
    return { results: results.map((result) => ({ ...result })), jobId };
  };
