import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** Words that searches treat as having the same meaning. */
export const createSynonyms = (client: Client) => ({
  list: (query: Query<'listSynonyms'> = {}, options?: CallOptions) => client.list('listSynonyms', { query }, options),
  create: (body: Body<'createSynonym'>, options?: CallOptions) => client.call('createSynonym', { body }, options),
  get: (id: string, options?: CallOptions) => client.call('getSynonym', { path: { id } }, options),
  update: (id: string, body: Body<'updateSynonym'>, options?: CallOptions) =>
    client.call('updateSynonym', { path: { id }, body }, options),
  delete: (id: string, options?: CallOptions) => client.call('deleteSynonym', { path: { id } }, options),
  /** Creates synonyms from text in the format of Solr or from JSON, all or none. */
  import: (body: Body<'importSynonyms'>, options?: CallOptions) => client.call('importSynonyms', { body }, options),
  export: (query: Query<'exportSynonyms'> = {}, options?: CallOptions) =>
    client.call('exportSynonyms', { query }, options),
  listPacks: (options?: CallOptions) => client.call('listSynonymPacks', {}, options),
  /** Switches a pack on or off. */
  updatePack: (name: string, body: Body<'updateSynonymPack'>, options?: CallOptions) =>
    client.call('updateSynonymPack', { path: { name }, body }, options),
});
