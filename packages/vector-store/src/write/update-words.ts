import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { VECTORS } from '#layout/collection-layout';
import type { SparseVector } from '#layout/passage';
import { ScopedFilter } from '#scope/scoped-filter';
import { toSparse } from '#write/to-vector';

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
  readonly document?: AnalyzedDocument | undefined;
}

/** What is stored about a whole document with its first passage. */
export interface AnalyzedDocument {
  /** The id of the first passage. */
  readonly id: string;
  /** The ids of all words. */
  readonly terms: readonly number[];
  readonly words: SparseVector;
  readonly sketch?: string | undefined;
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
  hasDocumentVector: boolean,
): Promise<boolean> {
  const scope = ScopedFilter.within({ team });
  const points = [
    ...passages.map(({ id, sparse }) => ({ id, vector: { [VECTORS.sparse]: toSparse(sparse) } })),
    ...(document && hasDocumentVector
      ? [{ id: document.id, vector: { [VECTORS.document]: toSparse(document.words) } }]
      : []),
  ];
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
