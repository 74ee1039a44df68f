import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** Indexed documents. */
export const createDocuments = (client: Client) => ({
  /** The documents of a collection. */
  list: (collectionId: string, query: Query<'listDocuments'> = {}, options?: CallOptions) =>
    client.list('listDocuments', { path: { id: collectionId }, query }, options),
  /** The documents of a connector. */
  ofConnector: (connectorId: string, query: Query<'listConnectorDocuments'> = {}, options?: CallOptions) =>
    client.list('listConnectorDocuments', { path: { id: connectorId }, query }, options),
  /** Indexes a text. Replaces the document with the same `externalId`. */
  create: (collectionId: string, body: Body<'createDocument'>, options?: CallOptions) =>
    client.call('createDocument', { path: { id: collectionId }, body }, options),
  /** Indexes up to 100 texts in one request. Invalid ones fail alone; check `failed` and `results`. */
  createBatch: (collectionId: string, documents: Body<'createDocuments'>['documents'], options?: CallOptions) =>
    client.call('createDocuments', { path: { id: collectionId }, body: { documents } }, options),
  get: (id: string, options?: CallOptions) => client.call('getDocument', { path: { id } }, options),
  content: (id: string, options?: CallOptions) => client.call('getDocumentContent', { path: { id } }, options),
  summary: (id: string, options?: CallOptions) => client.call('getDocumentSummary', { path: { id } }, options),
  /** Where words of the text are on the pages of a PDF, scan or image. */
  pages: (id: string, query: Query<'getDocumentPages'> = {}, options?: CallOptions) =>
    client.call('getDocumentPages', { path: { id }, query }, options),
  /** A page of an uploaded PDF, scan or image as a PNG. */
  pageImage: (id: string, query: Query<'getPageImage'> = {}, options?: CallOptions) =>
    client.call('getPageImage', { path: { id }, query }, options),
  delete: (id: string, options?: CallOptions) => client.call('deleteDocument', { path: { id } }, options),
});
