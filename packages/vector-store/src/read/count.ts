import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { type DocumentsRequest, documentFilterOf, type ScopedRequest, scopedFilterOf } from '#read/scoped-request';
import type { ScopedFilter } from '#scope/scoped-filter';

export interface Counts {
  readonly documents: number;
  readonly passages: number;
}

/** Counts exactly. A document counts twice while two of its versions are stored. */
export async function count(connection: QdrantConnection, collection: string, request: ScopedRequest): Promise<Counts> {
  const filter = scopedFilterOf(request);
  if (filter.matchesNothing) return { documents: 0, passages: 0 };
  const [documents, passages] = await Promise.all([
    countPoints(connection, collection, documentFilterOf(request), request),
    countPoints(connection, collection, filter, request),
  ]);
  return { documents, passages };
}

/** Counts only documents, exactly, like `count`. */
export async function countDocuments(
  connection: QdrantConnection,
  collection: string,
  request: DocumentsRequest,
): Promise<number> {
  const filter = documentFilterOf(request);
  return filter.matchesNothing ? 0 : countPoints(connection, collection, filter, request);
}

async function countPoints(
  connection: QdrantConnection,
  collection: string,
  filter: ScopedFilter,
  { signal }: CallOptions,
): Promise<number> {
  const { count } = await connection.read('count', REQUESTS.count(collection, filter.toQdrant()), {
    signal,
    ifMissing: () => ({ count: 0 }),
  });
  return count;
}
