import { badInput } from '../errors.ts';
import { comparePointIds } from '../model/point-id.ts';
import type { Bitmap } from '../storage/bitmap.ts';
import type { SearchSource } from './search-source.ts';
import type { Hit, OrderBy } from './types.ts';

/**
 * Orders the candidates by an indexed field. A point appears once for each of its values, or not at
 * all without a value. Ties are ordered by id in the same direction, as in Qdrant.
 *
 * @throws QdrantError 400 if the field has no index that supports ranges
 */
export function orderCandidates(source: SearchSource, orderBy: OrderBy, candidates: Bitmap, limit: number): Hit[] {
  const index = source.fieldIndex(orderBy.path.text);
  if (!index?.orderValues)
    throw badInput(
      `No range index for \`order_by\` key: \`${orderBy.path.text}\`. Please create one to use \`order_by\`. Check https://qdrant.tech/documentation/concepts/indexing/#payload-index to see which payload schemas support Range conditions`,
    );
  const sign = orderBy.direction === 'asc' ? 1 : -1;
  const { startFrom } = orderBy;
  const found: { offset: number; value: number }[] = [];
  candidates.forEach((offset) => {
    for (const value of index.orderValues?.(offset) ?? [])
      if (startFrom === undefined || sign * (value - startFrom) >= 0) found.push({ offset, value });
  });
  found.sort((a, b) => sign * (a.value - b.value || comparePointIds(source.idAt(a.offset), source.idAt(b.offset))));
  return found.slice(0, limit).map(({ offset, value }) => ({ offset, score: 1, orderValue: value, unversioned: true }));
}
