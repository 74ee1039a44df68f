import type { Schemas } from '@qdrant/js-client-rest';
import { equals } from '#filter/conditions';
import { FIRST_CHUNK, VECTORS } from '#layout/collection-layout';
import { denseParams } from '#layout/collection-settings';
import type { SparseVector } from '#layout/passage';
import { ScopedFilter } from '#scope/scoped-filter';
import type { DenseQuery, DocumentLeg, LegScores, RankRequest } from '#search/search-request';

/**
 * One of the rankings that a search combines. Legs of the same name in several spaces count as one.
 */
export interface Leg {
  readonly name: keyof LegScores | 'document';
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
  if (request.mode === 'semantic') return semanticLegs(request.dense, filter);
  const scope = ScopedFilter.within(request);
  const lexical = [...keywordLegs(request.sparse, filter, scope), ...documentLegs(request.document, filter, scope)];
  return request.mode === 'keyword' ? lexical : [...lexical, ...semanticLegs(request.dense, filter)];
}

/** Returns the leg that compares words with single passages. */
export function keywordLegs(words: SparseVector, filter: ScopedFilter, scope: ScopedFilter): Leg[] {
  if (words.indices.length === 0) return [];
  return [{ name: 'keyword', query: wordQuery(VECTORS.sparse, words, scope), filter: filter.toQdrant() }];
}

/** Returns the leg that compares words with whole documents, by their first passages. */
function documentLegs(leg: DocumentLeg | undefined, filter: ScopedFilter, scope: ScopedFilter): Leg[] {
  if (leg === undefined || leg.words.indices.length === 0) return [];
  const isFirst = equals('chunk', FIRST_CHUNK);
  const query = wordQuery(VECTORS.document, leg.words, scope.and(isFirst));
  return [{ name: 'document', query, filter: filter.and(isFirst).toQdrant() }];
}

/**
 * Words are weighted by their rarity among the passages that the caller can read, so scores reveal
 * nothing about other passages. The request's filters affect neither the weights nor the scores.
 */
function wordQuery(using: string, { indices, values }: SparseVector, corpus: ScopedFilter): Leg['query'] {
  return {
    query: { indices: [...indices], values: [...values] },
    using,
    params: { idf: { corpus: corpus.toQdrant() } },
  };
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
      query: { query: Array.from(vector), using: VECTORS.dense, ...denseParams(vector.length) },
      filter: filter.toQdrant(),
      ...within,
    }));
}
