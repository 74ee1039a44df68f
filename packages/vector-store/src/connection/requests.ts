import type { Schemas } from '@qdrant/js-client-rest';
import type { HttpRequest } from '#connection/send';

/** A request to Qdrant's REST interface whose answer holds a `Result`. */
export interface QdrantRequest<Result> extends HttpRequest {
  /** Never there: it only ties the type of the answer to the request. */
  readonly answers?: Result;
}

interface Points {
  readonly points: readonly Schemas['Record'][];
  readonly next_page_offset?: unknown;
}

const at = (collection: string): string => `/collections/${encodeURIComponent(collection)}`;

/** The requests that this package makes, with the bodies that Qdrant's own client types. Changes are waited for. */
export const REQUESTS = {
  listCollections: (): QdrantRequest<unknown> => ({ method: 'GET', path: '/collections' }),

  describe: (collection: string): QdrantRequest<unknown> => ({ method: 'GET', path: at(collection) }),

  create: (collection: string, body: Schemas['CreateCollection']): QdrantRequest<unknown> => ({
    method: 'PUT',
    path: at(collection),
    body,
  }),

  drop: (collection: string): QdrantRequest<unknown> => ({ method: 'DELETE', path: at(collection) }),

  createIndex: (collection: string, body: Schemas['CreateFieldIndex']): QdrantRequest<unknown> => ({
    method: 'PUT',
    path: `${at(collection)}/index?wait=true`,
    body,
  }),

  upsert: (collection: string, points: readonly Schemas['PointStruct'][]): QdrantRequest<unknown> => ({
    method: 'PUT',
    path: `${at(collection)}/points?wait=true`,
    body: { points },
  }),

  change: (collection: string, operations: readonly Schemas['UpdateOperation'][]): QdrantRequest<unknown> => ({
    method: 'POST',
    path: `${at(collection)}/points/batch?wait=true`,
    body: { operations },
  }),

  remove: (collection: string, filter: Schemas['Filter']): QdrantRequest<unknown> => ({
    method: 'POST',
    path: `${at(collection)}/points/delete?wait=true`,
    body: { filter },
  }),

  scroll: (collection: string, body: Schemas['ScrollRequest']): QdrantRequest<Points> => ({
    method: 'POST',
    path: `${at(collection)}/points/scroll`,
    body,
  }),

  count: (collection: string, filter: Schemas['Filter']): QdrantRequest<Schemas['CountResult']> => ({
    method: 'POST',
    path: `${at(collection)}/points/count`,
    body: { filter, exact: true },
  }),

  facet: (collection: string, body: Schemas['FacetRequest']): QdrantRequest<Schemas['FacetResponse']> => ({
    method: 'POST',
    path: `${at(collection)}/facet`,
    body,
  }),

  query: (
    collection: string,
    body: Schemas['QueryRequest'],
  ): QdrantRequest<{ readonly points: readonly unknown[] }> => ({
    method: 'POST',
    path: `${at(collection)}/points/query`,
    body,
  }),

  queryBatch: (
    collection: string,
    searches: readonly Schemas['QueryRequest'][],
  ): QdrantRequest<readonly { readonly points: readonly unknown[] }[]> => ({
    method: 'POST',
    path: `${at(collection)}/points/query/batch`,
    body: { searches },
  }),
} as const;
