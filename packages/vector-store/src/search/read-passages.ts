import { z } from 'zod';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { type PassagePayload, passagePayload, SHOWN_FIELDS } from '#layout/passage';
import type { ScopedFilter } from '#scope/scoped-filter';

const storedPoint = z.object({ id: z.string(), payload: passagePayload });

/**
 * Reads the passages of a page in one request without scoring. Passages deleted since the ranking
 * are missing.
 */
export async function readPassages(
  connection: QdrantConnection,
  collection: string,
  { filter, ids, signal }: { readonly filter: ScopedFilter; readonly ids: readonly string[] } & CallOptions,
): Promise<ReadonlyMap<string, PassagePayload>> {
  if (ids.length === 0) return new Map();
  const request = {
    filter: filter.and({ has_id: [...ids] }).toQdrant(),
    limit: ids.length,
    with_payload: SHOWN_FIELDS,
    with_vector: false,
  };
  const { points } = await connection.read('scroll', REQUESTS.scroll(collection, request), {
    signal,
    ifMissing: () => ({ points: [] }),
  });
  return new Map(
    z
      .array(storedPoint)
      .parse(points)
      .map(({ id, payload }) => [id, payload]),
  );
}
