import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { VECTORS } from '#layout/collection-layout';
import type { SparseVector } from '#layout/passage';
import { ScopedFilter } from '#scope/scoped-filter';

/** The new words of a stored passage. */
export interface AnalyzedPassage {
  readonly id: string;
  readonly sparse: SparseVector;
  readonly language: string;
}

export interface UpdateWords extends CallOptions {
  readonly team: string;
  /** At most a few hundred. */
  readonly passages: readonly AnalyzedPassage[];
  /** What is stored with a document's first passage: the ids of all its words, and its sketch. */
  readonly document?:
    | { readonly id: string; readonly terms: readonly number[]; readonly sketch?: string | undefined }
    | undefined;
}

/**
 * Replaces the words of stored passages in one request. Other fields, for example readers and
 * vectors, keep concurrent changes. Returns false if Qdrant rejects the request because a passage
 * no longer exists; some passages may already have changed.
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
    ...[...Map.groupBy(passages, ({ language }) => language)].map(([language, members]) => {
      const filter = scope.and({ has_id: members.map(({ id }) => id) }).toQdrant();
      return { set_payload: { payload: { language }, filter } };
    }),
    ...(document === undefined
      ? []
      : [
          {
            set_payload: {
              payload: {
                terms: [...document.terms],
                ...(document.sketch !== undefined && { sketch: document.sketch }),
              },
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
