import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** Items that you push to custom connectors. `CustomSource` pushes any number of them. */
export const createItems = (client: Client) => ({
  /** Pushes up to 100 changes. Invalid ones fail alone; check `failed` and `results`. */
  push: (
    connectorId: string,
    items: Body<'pushItems'>['items'],
    query: Query<'pushItems'> = {},
    options?: CallOptions,
  ) => client.call('pushItems', { path: { id: connectorId }, query, body: { items } }, options),
  /** The items of a connector, with the status of their documents. */
  list: (connectorId: string, query: Query<'listItems'> = {}, options?: CallOptions) =>
    client.list('listItems', { path: { id: connectorId }, query }, options),
  get: (connectorId: string, itemId: string, options?: CallOptions) =>
    client.call('getItem', { path: { id: connectorId, itemId } }, options),
  delete: (connectorId: string, itemId: string, query: Query<'deleteItem'> = {}, options?: CallOptions) =>
    client.call('deleteItem', { path: { id: connectorId, itemId }, query }, options),
  /** Starts a push of everything that exists. */
  startSnapshot: (connectorId: string, options?: CallOptions) =>
    client.call('startSnapshot', { path: { id: connectorId } }, options),
  getSnapshot: (connectorId: string, snapshotId: string, options?: CallOptions) =>
    client.call('getSnapshot', { path: { id: connectorId, snapshotId } }, options),
  /** Deletes the items that the snapshot did not name. */
  completeSnapshot: (
    connectorId: string,
    snapshotId: string,
    body: NonNullable<Body<'completeSnapshot'>> = {},
    options?: CallOptions,
  ) => client.call('completeSnapshot', { path: { id: connectorId, snapshotId }, body }, options),
  cancelSnapshot: (connectorId: string, snapshotId: string, options?: CallOptions) =>
    client.call('cancelSnapshot', { path: { id: connectorId, snapshotId } }, options),
});
