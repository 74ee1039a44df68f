import type { Schemas } from '@qdrant/js-client-rest';
import type { DocumentVectors } from '#connection/document-vectors';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { anyPoint } from '#filter/conditions';
import { VECTORS } from '#layout/collection-layout';
import { factsOf } from '#layout/facts';
import { type Passage, passagePayload } from '#layout/passage';
import { formerPointId, pointId } from '#layout/point-id';
import { ScopedFilter } from '#scope/scoped-filter';
import { toSparse, toVector } from '#write/to-vector';

/** Qdrant accepts requests of up to 32 MB; smaller ones keep memory use low on both sides. */
const MAX_BATCH_BYTES = 4_000_000;
const MAX_BATCH_POINTS = 128;

/** Approximate sizes in JSON. */
const BYTES = { denseValue: 12, sparseValue: 19, term: 11, character: 2, overhead: 1_000 } as const;

/**
 * Stores passages and returns when they can be found. First chunks are stored first, so that a
 * partly stored document always has the point by which `scrollDocuments` finds it.
 */
export async function upsertPassages(
  connection: QdrantConnection,
  collection: string,
  passages: readonly Passage[],
  options: CallOptions,
  documentVectors: DocumentVectors,
): Promise<void> {
  const ordered = passages.toSorted((a, b) => a.chunk - b.chunk);
  for (const batch of batches(ordered)) {
    await documentVectors.use(collection, (hasDocumentVector) => {
      const points = batch.map((passage) => toPoint(passage, hasDocumentVector));
      const operations = [{ upsert: { points } }, ...removeFormer(batch)];
      return connection.write('upsert', REQUESTS.change(collection, operations), options);
    });
  }
}

/** Deletes the same passages under the ids that an earlier version of Lectern gave them. */
function removeFormer(passages: readonly Passage[]): Schemas['UpdateOperation'][] {
  return [...Map.groupBy(passages, ({ team }) => team)].map(([team, members]) => {
    const ids = members.map(({ document, version, chunk }) => formerPointId(document, version, chunk));
    return { delete: { filter: ScopedFilter.within({ team }).and(anyPoint(ids)).toQdrant() } };
  });
}

function* batches(passages: readonly Passage[]): Generator<readonly Passage[]> {
  let batch: Passage[] = [];
  let bytes = 0;
  for (const passage of passages) {
    const size = sizeOf(passage);
    if (batch.length > 0 && (batch.length >= MAX_BATCH_POINTS || bytes + size > MAX_BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(passage);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function sizeOf({ dense, sparse, documentWords, terms = [], text }: Passage): number {
  const sparseValues = sparse.indices.length + (documentWords?.indices.length ?? 0);
  const vectors = dense.length * BYTES.denseValue + sparseValues * BYTES.sparseValue;
  return vectors + terms.length * BYTES.term + text.length * BYTES.character + BYTES.overhead;
}

function toPoint(passage: Passage, hasDocumentVector: boolean): Schemas['PointStruct'] {
  const { dense, sparse, documentWords, terms, sketch } = passage;
  return {
    id: pointId(passage.document, passage.version, passage.chunk),
    vector: {
      [VECTORS.dense]: toVector(dense),
      [VECTORS.sparse]: toSparse(sparse),
      ...(documentWords && hasDocumentVector && { [VECTORS.document]: toSparse(documentWords) }),
    },
    payload: {
      ...passagePayload.parse(passage),
      facts: factsOf(passage),
      ...(terms && { terms: [...terms] }),
      ...(sketch !== undefined && { sketch }),
    },
  };
}
