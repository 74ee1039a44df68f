import type { Schemas } from '@qdrant/js-client-rest';
import { VECTORS } from '#layout/collection-layout';
import type { LegScores, SearchRequest } from '#search/search-request';

/** One ranking that takes part in a search. */
export interface Leg {
  readonly name: keyof LegScores;
  readonly weight: number;
  readonly query: Pick<Schemas['QueryRequest'], 'query' | 'using'>;
}

/**
 * The legs of a search. One that has nothing to go by is left out: no terms, as for a query of stopwords, or a vector of zeros, to which
 * everything is equally near.
 */
export function legsOf(request: SearchRequest): Leg[] {
  const weights = request.mode === 'hybrid' ? request.weights : undefined;
  const legs: Leg[] = [];
  if (request.mode !== 'semantic' && request.sparse.indices.length > 0) {
    const { indices, values } = request.sparse;
    const query = { query: { indices: [...indices], values: [...values] }, using: VECTORS.sparse };
    legs.push({ name: 'keyword', weight: weights?.keyword ?? 1, query });
  }
  if (request.mode !== 'keyword' && request.dense.some((value) => value !== 0)) {
    const query = { query: Array.from(request.dense), using: VECTORS.dense };
    legs.push({ name: 'semantic', weight: weights?.semantic ?? 1, query });
  }
  return legs;
}
