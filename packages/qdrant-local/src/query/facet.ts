import { badInput } from '../errors.ts';
import { evaluateFilter } from '../filter/evaluate.ts';
import type { Filter } from '../filter/types.ts';
import type { FacetValue } from '../index/field-index.ts';
import type { JsonPath } from '../json/path.ts';
import type { SearchSource } from './search-source.ts';

/** A value and the number of points that have it. */
export interface FacetHit {
  readonly value: FacetValue;
  readonly count: number;
}

function compareValues(left: FacetValue, right: FacetValue): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Returns the values of a field with the number of filtered points that have each. The most
 * frequent values come first, ties by value.
 *
 * @throws QdrantError 400 if the field has no keyword, integer, bool or uuid index
 */
export function countFacet(
  source: SearchSource,
  path: JsonPath,
  filter: Filter | undefined,
  limit: number,
): FacetHit[] {
  const index = source.fieldIndex(path.text);
  if (!index?.facet)
    throw badInput(
      `No appropriate index for faceting: \`${path.text}\`. Please create one to facet on this field. Check https://qdrant.tech/documentation/concepts/indexing/#payload-index to see which payload schemas support Match conditions`,
    );
  const points = filter ? evaluateFilter(source, filter) : undefined;
  const hits: FacetHit[] = [];
  for (const [value, set] of index.facet()) {
    const count = points ? set.countIn(points) : set.size;
    if (count > 0) hits.push({ value, count });
  }
  return hits.sort((a, b) => b.count - a.count || compareValues(a.value, b.value)).slice(0, limit);
}
