import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { VECTORS } from '#layout/collection-layout';
import { ScopedFilter } from '#scope/scoped-filter';
import { toVector } from '#write/to-vector';

/** A stored passage's vector in its next space. */
export interface MovedPassage {
  readonly id: string;
  readonly dense: Float32Array;
}

export interface MovePassages extends CallOptions {
  readonly team: string;
  readonly space: string;
  /** At most some hundred. */
  readonly passages: readonly MovedPassage[];
}

/**
 * Gives stored passages the vectors of another space, in one request: the vectors first, then the name of the space. Nothing else of a passage is
 * written, so what others change meanwhile stays. Between the two steps (milliseconds) a passage has a vector that is not of its space's: it is
 * found all the same, at a place that means nothing. The other order would hide it. False where a passage is gone, which Qdrant refuses: then some
 * may have been moved and some not, and the rest is to be read anew.
 */
export async function movePassages(
  connection: QdrantConnection,
  collection: string,
  { team, space, passages, signal }: MovePassages,
): Promise<boolean> {
  if (passages.length === 0) return true;
  const points = passages.map(({ id, dense }) => ({ id, vector: { [VECTORS.dense]: toVector(dense) } }));
  const filter = ScopedFilter.within({ team })
    .and({ has_id: points.map(({ id }) => id) })
    .toQdrant();
  const operations = [
    { update_vectors: { points, update_filter: filter } },
    { set_payload: { payload: { space }, filter } },
  ];
  const done = await connection.write('move', REQUESTS.change(collection, operations), {
    signal,
    ifMissing: () => undefined,
  });
  return done !== undefined;
}
