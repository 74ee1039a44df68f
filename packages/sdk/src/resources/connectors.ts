import type { Client } from '../client.ts';
import type { Body, CallOptions, Input, Query } from '../types.ts';

/** What pulls content from sources into collections. */
export const createConnectors = (client: Client) => ({
  list: (query: Query<'listConnectors'> = {}, options?: CallOptions) =>
    client.list('listConnectors', { query }, options),
  create: (body: Body<'createConnector'>, options?: CallOptions) => client.call('createConnector', { body }, options),
  get: (id: string, options?: CallOptions) => client.call('getConnector', { path: { id } }, options),
  /** `config` is merged key by key. */
  update: (id: string, body: Body<'updateConnector'>, options?: CallOptions) =>
    client.call('updateConnector', { path: { id }, body }, options),
  /** Deletes it and, unless they are to be kept, its documents. */
  delete: (id: string, query: NonNullable<Input<'deleteConnector'>['query']> = {}, options?: CallOptions) =>
    client.call('deleteConnector', { path: { id }, query }, options),
  /** Tests the connection of a connector. */
  test: (id: string, options?: CallOptions) => client.call('testConnector', { path: { id } }, options),
  /** Tests settings before a connector is made of them. */
  testSettings: (body: Body<'testSettings'>, options?: CallOptions) => client.call('testSettings', { body }, options),
  /** Begins the authorisation of a connector in the browser. */
  authorize: (body: Body<'initOAuth'>, options?: CallOptions) => client.call('initOAuth', { body }, options),
});
