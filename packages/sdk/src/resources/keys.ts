import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** Pairs of API keys. */
export const createKeys = (client: Client) => ({
  /** The key in use and its permissions. */
  own: (options?: CallOptions) => client.call('getOwnKey', {}, options),
  list: (query: Query<'listApiKeys'> = {}, options?: CallOptions) => client.list('listApiKeys', { query }, options),
  /** Returns both keys. They are not available later. */
  create: (body: Body<'createApiKey'>, options?: CallOptions) => client.call('createApiKey', { body }, options),
  get: (id: string, options?: CallOptions) => client.call('getApiKey', { path: { id } }, options),
  update: (id: string, body: Body<'updateApiKey'>, options?: CallOptions) =>
    client.call('updateApiKey', { path: { id }, body }, options),
  /** Creates new keys. The old keys remain valid for the overlap period. */
  rotate: (id: string, body: Body<'rotateApiKey'> = {}, options?: CallOptions) =>
    client.call('rotateApiKey', { path: { id }, body }, options),
  revoke: (id: string, options?: CallOptions) => client.call('revokeApiKey', { path: { id } }, options),
});
