import type { Distance } from '../model/vectors.ts';
import { type DenseBlock, rowsPerSegment } from '../storage/dense-block.ts';

/** Scores the vector at a position of a segment. Larger is better. Sums are doubles. */
type Kernel = (segment: Float32Array, start: number, query: Float32Array) => number;

const dot: Kernel = (segment, start, query) => {
  let sum = 0;
  for (let i = 0; i < query.length; i++) sum += (segment[start + i] ?? 0) * (query[i] ?? 0);
  return sum;
};

const negatedEuclid: Kernel = (segment, start, query) => {
  let sum = 0;
  for (let i = 0; i < query.length; i++) {
    const difference = (segment[start + i] ?? 0) - (query[i] ?? 0);
    sum += difference * difference;
  }
  return -Math.sqrt(sum);
};

const negatedManhattan: Kernel = (segment, start, query) => {
  let sum = 0;
  for (let i = 0; i < query.length; i++) sum += Math.abs((segment[start + i] ?? 0) - (query[i] ?? 0));
  return -sum;
};

const kernels: Readonly<Record<Distance, Kernel>> = {
  Cosine: dot,
  Dot: dot,
  Euclid: negatedEuclid,
  Manhattan: negatedManhattan,
};

const noSegment = new Float32Array(0);
const rowMask = rowsPerSegment - 1;
const rowBits = Math.log2(rowsPerSegment);

// Four rows at a time: each value of the query is loaded once, and the four sums are independent of
// each other. The order within each sum is the same as row by row, so the results are identical.
function dotFourRows(block: DenseBlock, query: Float32Array, rows: Int32Array, scores: Float32Array): number {
  const { segments, size } = block;
  let at = 0;
  for (; at + 3 < rows.length; at += 4) {
    const row0 = rows[at] ?? 0;
    const row1 = rows[at + 1] ?? 0;
    const row2 = rows[at + 2] ?? 0;
    const row3 = rows[at + 3] ?? 0;
    const segment0 = segments[row0 >> rowBits] ?? noSegment;
    const segment1 = segments[row1 >> rowBits] ?? noSegment;
    const segment2 = segments[row2 >> rowBits] ?? noSegment;
    const segment3 = segments[row3 >> rowBits] ?? noSegment;
    const start0 = (row0 & rowMask) * size;
    const start1 = (row1 & rowMask) * size;
    const start2 = (row2 & rowMask) * size;
    const start3 = (row3 & rowMask) * size;
    let sum0 = 0;
    let sum1 = 0;
    let sum2 = 0;
    let sum3 = 0;
    for (let i = 0; i < size; i++) {
      const value = query[i] ?? 0;
      sum0 += (segment0[start0 + i] ?? 0) * value;
      sum1 += (segment1[start1 + i] ?? 0) * value;
      sum2 += (segment2[start2 + i] ?? 0) * value;
      sum3 += (segment3[start3 + i] ?? 0) * value;
    }
    scores[at] = sum0;
    scores[at + 1] = sum1;
    scores[at + 2] = sum2;
    scores[at + 3] = sum3;
  }
  return at;
}

/**
 * Scores rows (point offsets) exactly, as 32-bit floats. Larger is better (distances are negated).
 * Faster methods must return the same results.
 *
 * @param query a vector of the block's size, preprocessed for its distance
 * @param rows points that have the vector
 */
export function scoreRows(block: DenseBlock, query: Float32Array, rows: Int32Array): Float32Array {
  const { segments, size, distance } = block;
  const scores = new Float32Array(rows.length);
  const isDot = distance === 'Cosine' || distance === 'Dot';
  const kernel = kernels[distance];
  for (let at = isDot ? dotFourRows(block, query, rows, scores) : 0; at < rows.length; at++) {
    const row = rows[at] ?? 0;
    scores[at] = kernel(segments[row >> rowBits] ?? noSegment, (row & rowMask) * size, query);
  }
  return scores;
}
