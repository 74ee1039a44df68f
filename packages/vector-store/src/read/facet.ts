import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { FIRST_CHUNK } from '#layout/collection-layout';
import { type ScopedRequest, scopedFilterOf } from '#read/scoped-request';
import { equals, oneOf, ScopedFilter } from '#scope/scoped-filter';

/** Fields whose values can be counted: those with a keyword index. */
export type FacetField = 'source' | 'connector' | 'collection' | 'author' | 'type';

export interface FacetRequest extends ScopedRequest {
  readonly field: FacetField;
  /** Most values to give. */
  readonly limit: number;
}

export interface FacetValue {
  readonly value: string;
  /** Distinct documents with this value. */
  readonly count: number;
}

export interface CountByDocument extends CallOptions {
  readonly team: string;
  readonly documents: readonly string[];
}

/** Counts the documents of each value of a field, exactly; the most frequent first, equals in order of value. */
export async function facet(
  connection: QdrantConnection,
  collection: string,
  request: FacetRequest,
): Promise<FacetValue[]> {
  const filter = scopedFilterOf(request);
  if (filter.reachesNothing) return [];
  return facetPoints(connection, collection, request.field, filter.and(equals('chunk', FIRST_CHUNK)), request);
}

/** How many passages each of these documents has, all versions together; 0 for those with none. */
export async function countByDocument(
  connection: QdrantConnection,
  collection: string,
  { team, documents, signal }: CountByDocument,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map(documents.map((document) => [document, 0]));
  if (documents.length === 0) return counts;
  const filter = ScopedFilter.within({ team }).and(oneOf('document', documents));
  const found = await facetPoints(connection, collection, 'document', filter, { limit: documents.length, signal });
  for (const { value, count } of found) counts.set(value, count);
  return counts;
}

async function facetPoints(
  connection: QdrantConnection,
  collection: string,
  key: string,
  filter: ScopedFilter,
  { limit, signal }: { readonly limit: number } & CallOptions,
): Promise<FacetValue[]> {
  const { hits } = await connection.read(
    'facet',
    (api, init) => api.facet({ collection_name: collection, key, filter: filter.toQdrant(), limit, exact: true }, init),
    { signal, ifMissing: () => ({ hits: [] }) },
  );
  return hits.map(({ value, count }) => ({ value: String(value), count }));
}
