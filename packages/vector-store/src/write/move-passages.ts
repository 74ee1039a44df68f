import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { VECTORS } from '#layout/collection-layout';
import { ScopedFilter } from '#scope/scoped-filter';
import { toVector } from '#write/to-vector';

/** A stored passage with its vector in the new space. */
export interface MovedPassage {
  readonly id: string;
  readonly dense: Float32Array;
}

export interface MovePassages extends CallOptions {
  readonly team: string;
  readonly space: string;
  /** At most a few hundred. */
  readonly passages: readonly MovedPassage[];
}

/**
 * Moves stored passages to another space in one request: first their vectors, then the name of the
 * space. Other fields keep concurrent changes. Between the two steps (milliseconds) a passage has a
 * vector of another space and is found at a meaningless rank; the other order would hide it.
 * Returns false if Qdrant rejects the request because a passage no longer exists; some passages may
 * then have moved, and the rest must be read again.
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
