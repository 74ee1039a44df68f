import type { Client } from '../client.ts';
import type { Body, CallOptions, Input, Query } from '../types.ts';

/** Connectors read content from sources into collections. */
export const createConnectors = (client: Client) => ({
  list: (query: Query<'listConnectors'> = {}, options?: CallOptions) =>
    client.list('listConnectors', { query }, options),
  create: (body: Body<'createConnector'>, options?: CallOptions) => client.call('createConnector', { body }, options),
  get: (id: string, options?: CallOptions) => client.call('getConnector', { path: { id } }, options),
  /** `config` is merged key by key. */
  update: (id: string, body: Body<'updateConnector'>, options?: CallOptions) =>
    client.call('updateConnector', { path: { id }, body }, options),
  /** Deletes the connector and, by default, its documents. */
  delete: (id: string, query: NonNullable<Input<'deleteConnector'>['query']> = {}, options?: CallOptions) =>
    client.call('deleteConnector', { path: { id }, query }, options),
  /** Tests the connection of a connector. */
  test: (id: string, options?: CallOptions) => client.call('testConnector', { path: { id } }, options),
  /** Tests settings before creating a connector with them. */
  testSettings: (body: Body<'testSettings'>, options?: CallOptions) => client.call('testSettings', { body }, options),
  /** Starts the OAuth authorization of a connector in the browser. */
  authorize: (body: Body<'initOAuth'>, options?: CallOptions) => client.call('initOAuth', { body }, options),
});
