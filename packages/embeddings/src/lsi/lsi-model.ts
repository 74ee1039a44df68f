import type { TruncatedSvd } from '#linear-algebra/truncated-svd';

/** A learned space: a direction for each term. */
export interface LsiModel {
  readonly dimensions: number;
  /** The number of passages that it was learned from. */
  readonly passages: number;
  /** Dimensions of the sparse vectors (`hashTerm`), ascending. */
  readonly terms: Uint32Array;
  /** Inverse document frequency of each term. */
  readonly idf: Float32Array;
  /**
   * A term's direction is its row of `directions` times its scale: `dimensions` values of 8 bits
   * per term.
   */
  readonly scales: Float32Array;
  readonly directions: Int8Array;
}

const LARGEST = 127;

/**
 * Creates the model of a decomposed matrix whose columns are `terms`. Dimensions beyond its rank
 * stay zero.
 */
export function toLsiModel(
  svd: TruncatedSvd,
  learned: Pick<LsiModel, 'dimensions' | 'passages' | 'terms' | 'idf'>,
): LsiModel {
  const { dimensions, terms } = learned;
  const scales = new Float32Array(terms.length);
  const directions = new Int8Array(terms.length * dimensions);
  for (let term = 0; term < terms.length; term++) {
    const row = svd.right.subarray(term * svd.rank, (term + 1) * svd.rank);
    const scale = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / LARGEST;
    scales[term] = scale;
    if (scale > 0)
      directions.set(
        Int8Array.from(row, (value) => Math.round(value / scale)),
        term * dimensions,
      );
  }
  return { ...learned, scales, directions };
}
