import type { SparseVector } from '../model/vectors.ts';
import type { Bitmap } from '../storage/bitmap.ts';
import type { SparseEntry } from '../storage/build-sparse-segment.ts';
import type { SparseIndex } from '../storage/sparse-index.ts';
import { corpusSize, frequenciesOf, frequenciesWithin, placeOf } from './document-frequencies.ts';
import { scoreDimension, scoreSegment, scoreSlots } from './score-postings.ts';
import { findDimensions, type SegmentDimensions } from './sparse-dimensions.ts';
import type { TopK } from './top-k.ts';

/**
 * Calculates the inverse document frequency like Qdrant's `idf` modifier: ln(1 + (N − n + 0.5) / (n
 * + 0.5)), where N points have the vector and n of them have the dimension.
 */
export function inverseDocumentFrequency(total: number, withDimension: number): number {
  return Math.log((total - withDimension + 0.5) / (withDimension + 0.5) + 1);
}

/** The weighting of a query. `corpus` limits the points that the statistics include. */
export type IdfMode = { readonly kind: 'none' } | { readonly kind: 'idf'; readonly corpus: Bitmap | undefined };

// Looking up one entry of one point costs about as much as summing this many consecutive entries.
const entriesPerLookup = 32;

function weigh(
  index: SparseIndex,
  query: SparseVector,
  idf: IdfMode,
  segments: readonly SegmentDimensions[],
  tail: readonly SparseEntry[],
): Float32Array {
  if (idf.kind === 'none') return query.values;
  const total = idf.corpus ? corpusSize(index, idf.corpus) : index.size;
  // If the corpus contains every point, the stored frequencies apply and no counting is needed.
  const corpus = idf.corpus && total < index.present.count() ? idf.corpus : undefined;
  const frequencies = corpus
    ? frequenciesWithin(index, query, segments, tail, corpus)
    : frequenciesOf(query, segments, tail);
  return Float32Array.from(query.values, (value, i) => value * inverseDocumentFrequency(total, frequencies[i] ?? 0));
}

function scoreTail(
  tail: readonly SparseEntry[],
  query: SparseVector,
  weights: Float32Array,
  offer: (offset: number, score: number) => void,
): void {
  for (const { offset, vector } of tail) {
    let score = 0;
    let isTouched = false;
    for (let i = 0; i < weights.length; i++) {
      const place = placeOf(vector.indices, query.indices[i] ?? 0);
      if (place < 0) continue;
      isTouched = true;
      score = Math.fround(score + (weights[i] ?? 0) * (vector.values[place] ?? 0));
    }
    if (isTouched) offer(offset, score);
  }
}

/**
 * Scores the candidates that share a dimension with the query by the dot product (in 32-bit floats,
 * dimension by dimension, like Qdrant). Pushes scores above `minScore` to `top`.
 */
export function searchSparse(
  index: SparseIndex,
  query: SparseVector,
  idf: IdfMode,
  candidates: Bitmap,
  top: TopK,
  minScore: number = Number.NEGATIVE_INFINITY,
): void {
  index.noteSearch();
  const tail = index.tail();
  const segments = index.segments.map((segment) => findDimensions(segment, query.indices));
  const weights = weigh(index, query, idf, segments, tail);
  const offer = (offset: number, score: number): void => {
    if (score > minScore && score >= top.threshold && candidates.has(offset)) top.push(offset, score);
  };
  scoreTail(tail, query, weights, offer);
  const entries = segments.reduce((sum, { entryCount }) => sum + entryCount, 0);
  const candidateCount = candidates.count();
  if (candidateCount * weights.length * entriesPerLookup < entries) {
    const bySegment = new Map(segments.map((found) => [found.segment, found]));
    candidates.forEach((offset) => {
      const { segment, slot } = index.locate(offset);
      const found = segment && bySegment.get(segment);
      if (found && slot >= 0) scoreSlots(found, slot, weights, (score) => offer(offset, score));
    });
    return;
  }
  const score = query.indices.length === 1 ? scoreDimension : scoreSegment;
  // The first segments raise the threshold for the next ones.
  for (const found of segments.toSorted((a, b) => b.entryCount - a.entryCount))
    score(found, weights, candidates, top, minScore);
}
