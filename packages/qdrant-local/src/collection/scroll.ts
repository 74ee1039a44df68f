import { badInput } from '../errors.ts';
import { evaluateFilter } from '../filter/evaluate.ts';
import type { Filter } from '../filter/types.ts';
import { comparePointIds, type PointId } from '../model/point-id.ts';
import { idsInOrder } from '../query/ids-in-order.ts';
import { orderCandidates } from '../query/order-by.ts';
import type { SearchSource } from '../query/search-source.ts';
import type { Hit, OrderBy } from '../query/types.ts';

/** A page to list. */
export interface ScrollRequest {
  readonly filter: Filter | undefined;
  readonly limit: number;
  /** The first id of the page. */
  readonly offset: PointId | undefined;
  readonly orderBy: OrderBy | undefined;
}

/** A page, with the first id of the next page if there is one. */
export interface ScrollPage {
  readonly hits: readonly Hit[];
  readonly nextOffset: PointId | undefined;
}

// Returns the position of the first id that is not below `id` (binary search).
function positionOf(ids: readonly PointId[], id: PointId): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comparePointIds(ids[middle] ?? 0, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Lists points by id, or by an indexed field.
 *
 * @throws QdrantError 400 for an offset with an order, or for a field without an index
 */
export function scrollPoints(source: SearchSource, request: ScrollRequest): ScrollPage {
  const { limit, offset, orderBy } = request;
  if (orderBy && offset !== undefined)
    throw badInput(
      "Cannot use an `offset` when using `order_by`. The alternative for paging is to use `order_by.start_from` and a filter to exclude the IDs that you've already seen for the `order_by.start_from` value",
    );
  const candidates = evaluateFilter(source, request.filter);
  if (orderBy) return { hits: orderCandidates(source, orderBy, candidates, limit), nextOffset: undefined };
  const ids = idsInOrder(source, candidates);
  const hits: Hit[] = [];
  for (let i = offset === undefined ? 0 : positionOf(ids, offset); i < ids.length; i++) {
    const id = ids[i] ?? 0;
    const at = source.offsetOf(id);
    if (at === undefined || !candidates.has(at)) continue;
    if (hits.length === limit) return { hits, nextOffset: id };
    hits.push({ offset: at, score: 1 });
  }
  return { hits, nextOffset: undefined };
}
