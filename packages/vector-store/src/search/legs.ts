import type { Schemas } from '@qdrant/js-client-rest';
import { VECTORS } from '#layout/collection-layout';
import type { SparseVector } from '#layout/passage';
import { equals, ScopedFilter } from '#scope/scoped-filter';
import type { DenseQuery, LegScores, RankRequest } from '#search/search-request';

/**
 * One of the rankings that a search combines. Legs of the same name in several spaces count as one.
 */
export interface Leg {
  readonly name: keyof LegScores;
  /** The space that it is limited to, for a model that has several. */
  readonly space?: string;
  readonly query: Pick<Schemas['QueryRequest'], 'query' | 'using' | 'params'>;
  readonly filter: Schemas['Filter'];
}

/**
 * Returns the legs of a search. A leg without input is left out: no terms (a query of stopwords
 * only) or a zero vector, to which every passage is equally near.
 */
export function legsOf(request: RankRequest, filter: ScopedFilter): Leg[] {
  const keyword = request.mode === 'semantic' ? [] : keywordLegs(request.sparse, filter, ScopedFilter.within(request));
  return request.mode === 'keyword' ? keyword : [...keyword, ...semanticLegs(request.dense, filter)];
}

/**
 * Returns the keyword leg. Words are weighted by their rarity among the passages that the caller
 * can read, so scores reveal nothing about other passages. The request's filters affect neither the
 * weights nor the scores.
 */
export function keywordLegs({ indices, values }: SparseVector, filter: ScopedFilter, scope: ScopedFilter): Leg[] {
  if (indices.length === 0) return [];
  const query = {
    query: { indices: [...indices], values: [...values] },
    using: VECTORS.sparse,
    params: { idf: { corpus: scope.toQdrant() } },
  };
  return [{ name: 'keyword', query, filter: filter.toQdrant() }];
}

/** Returns one leg per space. */
export function semanticLegs(dense: DenseQuery, filter: ScopedFilter): Leg[] {
  const queries =
    dense instanceof Float32Array
      ? [{ vector: dense, within: {}, filter }]
      : dense.map(({ space, vector }) => ({ vector, within: { space }, filter: filter.and(equals('space', space)) }));
  return queries
    .filter(({ vector }) => vector.some((value) => value !== 0))
    .map(({ vector, within, filter }) => ({
      name: 'semantic',
      query: { query: Array.from(vector), using: VECTORS.dense },
      filter: filter.toQdrant(),
      ...within,
    }));
}
