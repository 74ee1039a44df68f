import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** Groups of documents. */
export const createCollections = (client: Client) => ({
  list: (query: Query<'listCollections'> = {}, options?: CallOptions) =>
    client.list('listCollections', { query }, options),
  create: (body: Body<'createCollection'>, options?: CallOptions) => client.call('createCollection', { body }, options),
  get: (id: string, options?: CallOptions) => client.call('getCollection', { path: { id } }, options),
  update: (id: string, body: Body<'updateCollection'>, options?: CallOptions) =>
    client.call('updateCollection', { path: { id }, body }, options),
  /** Deletes the collection with its documents and embeddings. */
  delete: (id: string, options?: CallOptions) => client.call('deleteCollection', { path: { id } }, options),
  refreshStats: (id: string, options?: CallOptions) => client.call('refreshCollectionStats', { path: { id } }, options),
});
