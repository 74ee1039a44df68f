import type { Schemas } from '@qdrant/js-client-rest';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { VECTORS } from '#layout/collection-layout';
import { factsOf } from '#layout/facts';
import { type Passage, passagePayload } from '#layout/passage';
import { pointId } from '#layout/point-id';
import { toVector } from '#write/to-vector';

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
): Promise<void> {
  const ordered = passages.toSorted((a, b) => a.chunk - b.chunk);
  for (const batch of batches(ordered)) {
    await connection.write('upsert', REQUESTS.upsert(collection, batch.map(toPoint)), options);
  }
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

function sizeOf({ dense, sparse, terms = [], text }: Passage): number {
  const vectors = dense.length * BYTES.denseValue + sparse.indices.length * BYTES.sparseValue;
  return vectors + terms.length * BYTES.term + text.length * BYTES.character + BYTES.overhead;
}

function toPoint(passage: Passage): Schemas['PointStruct'] {
  const { dense, sparse, terms, sketch } = passage;
  return {
    id: pointId(passage.document, passage.version, passage.chunk),
    vector: {
      [VECTORS.dense]: toVector(dense),
      [VECTORS.sparse]: { indices: [...sparse.indices], values: [...sparse.values] },
    },
    payload: {
      ...passagePayload.parse(passage),
      facts: factsOf(passage),
      ...(terms && { terms: [...terms] }),
      ...(sketch !== undefined && { sketch }),
    },
  };
}
