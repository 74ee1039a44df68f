import type { SparseVector } from '../model/vectors.ts';
import type { Bitmap } from '../storage/bitmap.ts';
import type { SparseIndex } from '../storage/sparse-index.ts';
import type { TopK } from './top-k.ts';

/**
 * Inverse document frequency as Qdrant's `idf` modifier computes it: ln(1 + (N − n + 0.5) / (n + 0.5)), where N points
 * have the vector and n of them have a value in the dimension.
 */
export function inverseDocumentFrequency(total: number, withDimension: number): number {
  return Math.log((total - withDimension + 0.5) / (withDimension + 0.5) + 1);
}

function idfWeight(index: SparseIndex, dimension: number, corpus: Bitmap | undefined): number {
  const posting = index.posting(dimension);
  if (!corpus) return inverseDocumentFrequency(index.size, posting?.liveCount ?? 0);
  let frequency = 0;
  for (let i = 0; posting && i < posting.length; i++) {
    const offset = index.offsetOfSlot(posting.slots[i] ?? 0);
    if (offset >= 0 && corpus.has(offset)) frequency += 1;
  }
  return inverseDocumentFrequency(corpus.intersectionCount(index.present), frequency);
}

/** How a sparse search weighs the query: `corpus` narrows the points that the statistics are taken over. */
export type IdfMode = { readonly kind: 'none' } | { readonly kind: 'idf'; readonly corpus: Bitmap | undefined };

/**
 * Scores the candidates that share a dimension with the query by the dot product (in 32-bit floats, like Qdrant) and
 * offers those above `minScore` to `top`.
 */
export function searchSparse(
  index: SparseIndex,
  query: SparseVector,
  idf: IdfMode,
  candidates: Bitmap,
  top: TopK,
  minScore: number = Number.NEGATIVE_INFINITY,
): void {
  const scores = new Float32Array(index.slotCount);
  // A slot's score may be 0 though it was touched, so touched slots are marked apart.
  const touched = new Uint8Array(index.slotCount);
  for (let i = 0; i < query.indices.length; i++) {
    const dimension = query.indices[i] ?? 0;
    const posting = index.posting(dimension);
    if (!posting) continue;
    const weight = Math.fround(
      (query.values[i] ?? 0) * (idf.kind === 'idf' ? idfWeight(index, dimension, idf.corpus) : 1),
    );
    const { slots, values, length } = posting;
    for (let j = 0; j < length; j++) {
      const slot = slots[j] ?? 0;
      scores[slot] = (scores[slot] ?? 0) + weight * (values[j] ?? 0);
      touched[slot] = 1;
    }
  }
  for (let slot = 0; slot < scores.length; slot++) {
    if (touched[slot] !== 1) continue;
    const score = scores[slot] ?? 0;
    if (score <= minScore || score < top.threshold) continue;
    const offset = index.offsetOfSlot(slot);
    if (offset >= 0 && candidates.has(offset)) top.push(offset, score);
  }
}
