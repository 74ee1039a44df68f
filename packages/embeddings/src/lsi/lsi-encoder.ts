import type { AnalyzedQuery } from '@lectern/text';
import type { LexicalVector } from '#lsi/lexical-vector';
import type { LsiModel } from '#lsi/lsi-model';
import { inverseDocumentFrequency, passageWeight, queryWeight } from '#lsi/lsi-weights';
import { synonymWords } from '#words/synonym-words';
import { queryWords } from '#words/word-ids';

/** A query in a learned space. */
export interface LsiQuery {
  /** Unit length, or all zeros if the space knows none of the query's terms. */
  readonly vector: Float32Array;
  /**
   * The share of the query that the space knows: of its squared length over all terms, the part that
   * remains in the space (0 to 1). Few dimensions represent rare terms poorly.
   */
  readonly known: number;
}

/**
 * Places texts in a learned space. Passages are given as sparse vectors, so that they are analyzed
 * only once.
 */
export interface LsiEncoder {
  readonly dimensions: number;
  /**
   * Returns the vector of any passage from its sparse vector: unit length, or zeros if no term is
   * known.
   */
  encodePassage(sparse: LexicalVector): Float32Array;
  /**
   * `known` are the words that can be used; by default all words the space was learned from. Other
   * words are treated as unknown.
   */
  encodeQuery(query: AnalyzedQuery, known?: ReadonlySet<number>): LsiQuery;
}

/**
 * Creates the encoder of a model. A passage costs about `terms · dimensions` multiplications (20
 * µs), a query far less.
 */
export function createLsiEncoder(model: LsiModel): LsiEncoder {
  const unknownIdf = inverseDocumentFrequency(model.passages, 1);
  return {
    dimensions: model.dimensions,
    encodePassage(sparse) {
      const { vector } = foldIn(model, sparse, passageWeight, unknownIdf);
      return scaled(vector, lengthOf(vector));
    },
    encodeQuery(query, known) {
      const { vector, squaredLength } = foldIn(
        model,
        queryWords(query),
        queryWeight,
        unknownIdf,
        known,
        synonymWords(query),
      );
      const length = lengthOf(vector);
      return {
        vector: scaled(vector, length),
        known: squaredLength === 0 ? 0 : length ** 2 / squaredLength,
      };
    },
  };
}

/**
 * Returns the weighted sum of the terms' directions, and the squared length of the text over all
 * terms, unknown ones included, except synonyms that the space does not know.
 */
function foldIn(
  model: LsiModel,
  { indices, values }: LexicalVector,
  weightOf: (value: number) => number,
  unknownIdf: number,
  among?: ReadonlySet<number>,
  ignoredIfUnknown?: ReadonlyMap<number, unknown>,
): { readonly vector: Float32Array; readonly squaredLength: number } {
  const vector = new Float32Array(model.dimensions);
  let squaredLength = 0;
  let from = 0;
  for (const [at, index] of indices.entries()) {
    // Both are in ascending order, so the search continues from the last term found.
    from = lowerBound(model.terms, index, from);
    const known = model.terms[from] === index && (among === undefined || among.has(index));
    if (!known && ignoredIfUnknown?.has(index)) continue;
    const weight = weightOf(values[at] ?? 0) * (known ? (model.idf[from] ?? 0) : unknownIdf);
    squaredLength += weight * weight;
    if (known) addDirection(vector, model, from, weight);
  }
  return { vector, squaredLength };
}

function addDirection(vector: Float32Array, { dimensions, directions, scales }: LsiModel, term: number, by: number) {
  const factor = by * (scales[term] ?? 0);
  const from = term * dimensions;
  for (let i = 0; i < dimensions; i++) vector[i] = (vector[i] ?? 0) + factor * (directions[from + i] ?? 0);
}

/** Returns the first position at or after `from` whose value is at least `value`. */
function lowerBound(sorted: Uint32Array, value: number, from: number): number {
  let low = from;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lengthOf(vector: Float32Array): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
}

function scaled(vector: Float32Array, length: number): Float32Array {
  return length === 0 ? vector : vector.map((value) => value / length);
}
