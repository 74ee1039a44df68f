import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { FIRST_CHUNK } from '#layout/collection-layout';
import { type ScopedRequest, scopedFilterOf } from '#read/scoped-request';
import { equals, type ScopedFilter } from '#scope/scoped-filter';

export interface Counts {
  readonly documents: number;
  readonly passages: number;
}

/** Counts exactly. A document counts once, except while a new version stands beside the old one. */
export async function count(connection: QdrantConnection, collection: string, request: ScopedRequest): Promise<Counts> {
  const filter = scopedFilterOf(request);
  if (filter.reachesNothing) return { documents: 0, passages: 0 };
  const [documents, passages] = await Promise.all([
    countPoints(connection, collection, filter.and(equals('chunk', FIRST_CHUNK)), request),
    countPoints(connection, collection, filter, request),
  ]);
  return { documents, passages };
}

async function countPoints(
  connection: QdrantConnection,
  collection: string,
  filter: ScopedFilter,
  { signal }: CallOptions,
): Promise<number> {
  const { count } = await connection.read(
    'count',
    (api, init) => api.countPoints({ collection_name: collection, filter: filter.toQdrant(), exact: true }, init),
    { signal, ifMissing: () => ({ count: 0 }) },
  );
  return count;
}
