import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** Assistants with instructions, tools and collections of their own. */
export const createAgents = (client: Client) => ({
  list: (query: Query<'listAgents'> = {}, options?: CallOptions) => client.list('listAgents', { query }, options),
  create: (body: Body<'createAgent'>, options?: CallOptions) => client.call('createAgent', { body }, options),
  get: (id: string, options?: CallOptions) => client.call('getAgent', { path: { id } }, options),
  update: (id: string, body: Body<'updateAgent'>, options?: CallOptions) =>
    client.call('updateAgent', { path: { id }, body }, options),
  delete: (id: string, options?: CallOptions) => client.call('deleteAgent', { path: { id } }, options),
});
