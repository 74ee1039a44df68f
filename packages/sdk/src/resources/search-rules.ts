import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** Rules that pin documents to positions, or hide them, in searches for certain words. */
export const createSearchRules = (client: Client) => ({
  list: (query: Query<'listSearchRules'> = {}, options?: CallOptions) =>
    client.list('listSearchRules', { query }, options),
  create: (body: Body<'createSearchRule'>, options?: CallOptions) => client.call('createSearchRule', { body }, options),
  get: (id: string, options?: CallOptions) => client.call('getSearchRule', { path: { id } }, options),
  update: (id: string, body: Body<'updateSearchRule'>, options?: CallOptions) =>
    client.call('updateSearchRule', { path: { id }, body }, options),
  delete: (id: string, options?: CallOptions) => client.call('deleteSearchRule', { path: { id } }, options),
  /** Creates or changes rules, all or none. */
  import: (body: Body<'importSearchRules'>, options?: CallOptions) =>
    client.call('importSearchRules', { body }, options),
  export: (query: Query<'exportSearchRules'> = {}, options?: CallOptions) =>
    client.call('exportSearchRules', { query }, options),
});
