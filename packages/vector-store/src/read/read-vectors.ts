import { z } from 'zod';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { VECTORS } from '#layout/collection-layout';
import { ScopedFilter } from '#scope/scoped-filter';

export interface VectorsRequest extends CallOptions {
  readonly team: string;
  /** Ids of passages (`pointId`), one page at a time: each vector is several kilobytes. */
  readonly ids: readonly string[];
}

const storedPoint = z.object({ id: z.string(), vector: z.object({ [VECTORS.dense]: z.array(z.number()) }) });

/**
 * Reads the dense vectors of a team's passages, in unit length as stored. Missing passages are left
 * out.
 */
export async function readVectors(
  connection: QdrantConnection,
  collection: string,
  { team, ids, signal }: VectorsRequest,
): Promise<ReadonlyMap<string, Float32Array>> {
  if (ids.length === 0) return new Map();
  const page = {
    filter: ScopedFilter.within({ team })
      .and({ has_id: [...ids] })
      .toQdrant(),
    limit: ids.length,
    with_payload: false,
    with_vector: [VECTORS.dense],
  };
  const { points } = await connection.read('scroll', REQUESTS.scroll(collection, page), {
    signal,
    ifMissing: () => ({ points: [] }),
  });
  return new Map(
    z
      .array(storedPoint)
      .parse(points)
      .map(({ id, vector }) => [id, Float32Array.from(vector[VECTORS.dense])]),
  );
}
