import type { Schemas } from '@qdrant/js-client-rest';
import { z } from 'zod';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { anyPoint, type Condition, equals } from '#filter/conditions';
import { FIRST_CHUNK } from '#layout/collection-layout';
import { keyOf, pointId } from '#layout/point-id';
import { ScopedFilter } from '#scope/scoped-filter';

export interface FormerIdsRequest extends CallOptions {
  readonly team: string;
  readonly document: string;
}

export interface RenewPoints extends CallOptions {
  readonly team: string;
  /** Former ids of points of one document, at most a few hundred. */
  readonly ids: readonly string[];
  /** The principals with read access to the document now. */
  readonly principals: readonly string[];
}

/** Points per page, each of about ten kilobytes. */
const PAGE_SIZE = 64;

const placeOfPoint = z.object({ document: z.string(), version: z.int(), chunk: z.int() });

const vectors = z.record(
  z.string(),
  z.union([z.array(z.number()), z.object({ indices: z.array(z.int()), values: z.array(z.number()) })]),
);

/**
 * Iterates over the former ids of a document page by page, without reading the points. The first
 * passage comes first: searches can derive the current id of a first passage from every id, but the
 * former one only from former ids.
 */
export async function* scrollFormerIds(
  connection: QdrantConnection,
  collection: string,
  request: FormerIdsRequest,
): AsyncGenerator<readonly string[], void, undefined> {
  yield* formerIds(connection, collection, request, [equals('chunk', FIRST_CHUNK)]);
  yield* formerIds(connection, collection, request, []);
}

/**
 * Stores points that have former ids again under their new ids, with the given readers, and deletes
 * the former ones in the same request. Can be repeated at any time. A change of the document between
 * reading and writing is lost, so the caller locks the document.
 */
export async function renewPoints(
  connection: QdrantConnection,
  collection: string,
  { team, ids, principals, signal }: RenewPoints,
): Promise<void> {
  const filter = ScopedFilter.within({ team }).and(anyPoint(ids)).toQdrant();
  const page = { filter, limit: Math.max(1, ids.length), with_payload: true, with_vector: true };
  const { points } = await connection.read('scroll', REQUESTS.scroll(collection, page), {
    signal,
    ifMissing: () => ({ points: [] }),
  });
  if (points.length === 0) return;
  const renewed = points.map((point) => toPoint(point, principals));
  const operations = [{ upsert: { points: renewed } }, { delete: { filter } }];
  await connection.write('renew', REQUESTS.change(collection, operations), { signal });
}

function toPoint({ vector, payload }: Schemas['Record'], principals: readonly string[]): Schemas['PointStruct'] {
  const { document, version, chunk } = placeOfPoint.parse(payload);
  return {
    id: pointId(document, version, chunk),
    vector: vectors.parse(vector),
    payload: { ...payload, principals: [...principals] },
  };
}

async function* formerIds(
  connection: QdrantConnection,
  collection: string,
  { team, document, signal }: FormerIdsRequest,
  conditions: readonly Condition[],
): AsyncGenerator<readonly string[], void, undefined> {
  const filter = ScopedFilter.within({ team })
    .and(equals('document', document), ...conditions)
    .toQdrant();
  let offset: string | number | undefined;
  do {
    const page = {
      filter,
      limit: PAGE_SIZE,
      with_payload: false,
      with_vector: false,
      ...(offset === undefined ? {} : { offset }),
    };
    const { points, next_page_offset } = await connection.read('scroll', REQUESTS.scroll(collection, page), {
      signal,
      ifMissing: () => ({ points: [], next_page_offset: null }),
    });
    const ids = points.flatMap(({ id }) => (typeof id === 'string' && keyOf(id) === undefined ? id : []));
    if (ids.length > 0) yield ids;
    offset = z.union([z.string(), z.number()]).nullish().parse(next_page_offset) ?? undefined;
  } while (offset !== undefined);
}
