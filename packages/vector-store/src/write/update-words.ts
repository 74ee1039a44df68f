import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { VECTORS } from '#layout/collection-layout';
import type { SparseVector } from '#layout/passage';
import { ScopedFilter } from '#scope/scoped-filter';

/** A stored passage's words under other rules of analysis. */
export interface AnalysedPassage {
  readonly id: string;
  readonly sparse: SparseVector;
}

export interface UpdateWords extends CallOptions {
  readonly team: string;
  /** At most some hundred. */
  readonly passages: readonly AnalysedPassage[];
  /** The ids of all words of a document, for its first passage. */
  readonly document?: { readonly id: string; readonly terms: readonly number[] } | undefined;
}

/**
 * Gives stored passages other words, in one request. Nothing else of them is written, so who may read them and what their meaning is stays as others
 * set it meanwhile. False where a passage is gone, which Qdrant refuses: then some may have been changed and some not.
 */
export async function updateWords(
  connection: QdrantConnection,
  collection: string,
  { team, passages, document, signal }: UpdateWords,
): Promise<boolean> {
  const scope = ScopedFilter.within({ team });
  const points = passages.map(({ id, sparse: { indices, values } }) => {
    return { id, vector: { [VECTORS.sparse]: { indices: [...indices], values: [...values] } } };
  });
  const update_filter = scope.and({ has_id: points.map(({ id }) => id) }).toQdrant();
  const operations = [
    ...(points.length === 0 ? [] : [{ update_vectors: { points, update_filter } }]),
    ...(document === undefined
      ? []
      : [
          {
            set_payload: {
              payload: { terms: [...document.terms] },
              filter: scope.and({ has_id: [document.id] }).toQdrant(),
            },
          },
        ]),
  ];
  if (operations.length === 0) return true;
  const done = await connection.write('update words', REQUESTS.change(collection, operations), {
    signal,
    ifMissing: () => undefined,
  });
  return done !== undefined;
}
