/** How the vectors of a text's tokens become one vector. */
export type Pooling = 'mean' | 'cls' | 'last';

/** The output of a model for a batch. */
export interface TokenVectors {
  /** Texts, tokens including padding, and dimensions; without tokens if the model pools itself. */
  readonly dims: readonly number[];
  readonly data: ArrayLike<number>;
}

/**
 * Returns the vector of each text of a batch. Padding follows the tokens of a text, and
 * `lengths` are the numbers of tokens without it.
 */
export function pool({ dims, data }: TokenVectors, lengths: readonly number[], pooling: Pooling): Float32Array[] {
  const width = dims.at(-1) ?? 0;
  const padded = dims.length === 3 ? (dims[1] ?? 0) : 1;
  return lengths.map((tokens, text) => {
    const start = text * padded * width;
    if (dims.length === 2 || pooling === 'cls') return slice(data, start, width);
    if (pooling === 'last') return slice(data, start + (tokens - 1) * width, width);
    const mean = new Float32Array(width);
    for (let token = 0; token < tokens; token += 1) {
      const from = start + token * width;
      for (let at = 0; at < width; at += 1) mean[at] = (mean[at] ?? 0) + (data[from + at] ?? 0) / tokens;
    }
    return mean;
  });
}

function slice(data: ArrayLike<number>, start: number, length: number): Float32Array {
  return Float32Array.from({ length }, (_, at) => data[start + at] ?? 0);
}

/**
 * Shortens a vector of a model that is trained for it (Matryoshka representation). `normalizes`
 * first brings its values to mean 0 and variance 1, as some of these models expect.
 */
export function shorten(vector: Float32Array, dimensions: number, normalizes: boolean): Float32Array {
  if (dimensions >= vector.length) return vector;
  if (!normalizes) return vector.slice(0, dimensions);
  const mean = vector.reduce((sum, value) => sum + value, 0) / vector.length;
  const variance = vector.reduce((sum, value) => sum + (value - mean) ** 2, 0) / vector.length;
  const deviation = Math.sqrt(variance + 1e-5);
  return vector.slice(0, dimensions).map((value) => (value - mean) / deviation);
}
