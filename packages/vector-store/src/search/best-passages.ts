import type { Schemas } from '@qdrant/js-client-rest';
import { anyPoint } from '#filter/conditions';
import type { SparseVector } from '#layout/passage';
import type { ScopedFilter } from '#scope/scoped-filter';
import { keywordLegs } from '#search/legs';
import type { Places } from '#search/places';

interface BestPassages {
  readonly words: SparseVector;
  readonly scope: ScopedFilter;
  readonly passagesPerDocument: number;
}

/**
 * The passages of a document that are compared. Of a longer document the first ones stand for all,
 * because every one is named by its id.
 */
const MAX_PASSAGES = 128;

/**
 * Returns a search for the passages of a document that have most of the words; undefined without
 * words. `point` is any passage of the document.
 */
export function bestPassagesOf(
  point: string,
  places: Places,
  { words, scope, passagesPerDocument }: BestPassages,
): Schemas['QueryRequest'] | undefined {
  const ids = Array.from({ length: MAX_PASSAGES }, (_, chunk) => places.siblingsOf(point, chunk)).flat();
  const [leg] = keywordLegs(words, scope.and(anyPoint(ids)), scope);
  return leg && { ...leg.query, filter: leg.filter, limit: passagesPerDocument };
}
