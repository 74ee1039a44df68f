import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** Pairs of API keys. */
export const createKeys = (client: Client) => ({
  /** What the key in use may do. */
  own: (options?: CallOptions) => client.call('getOwnKey', {}, options),
  list: (query: Query<'listApiKeys'> = {}, options?: CallOptions) => client.list('listApiKeys', { query }, options),
  /** Both keys are in the answer, this once. */
  create: (body: Body<'createApiKey'>, options?: CallOptions) => client.call('createApiKey', { body }, options),
  get: (id: string, options?: CallOptions) => client.call('getApiKey', { path: { id } }, options),
  update: (id: string, body: Body<'updateApiKey'>, options?: CallOptions) =>
    client.call('updateApiKey', { path: { id }, body }, options),
  /** New keys; the old ones work on for the overlap. */
  rotate: (id: string, body: Body<'rotateApiKey'> = {}, options?: CallOptions) =>
    client.call('rotateApiKey', { path: { id }, body }, options),
  revoke: (id: string, options?: CallOptions) => client.call('revokeApiKey', { path: { id } }, options),
});
