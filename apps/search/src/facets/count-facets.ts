import { kindOfField } from '@lectern/contracts';
import { compareFactValues, type FacetField, type FacetValue, type VectorStore } from '@lectern/vector-store';
import { type FacetStats, statsOfDates, statsOfValues } from '#facets/facet-stats';
import { SEARCH_LIMITS } from '#limits';
import { documentsOf, type ModelMatch } from '#match/model-match';

/** The values of a field in all matched documents. */
export interface Facet {
  readonly field: FacetField;
  /** The most frequent values; ties are ordered by value. */
  readonly values: readonly FacetValue[];
  readonly stats: FacetStats | undefined;
  /** Always true: counts cover all matches. */
  readonly exhaustive: true;
}

/**
 * Counts the documents for each value of these fields, exactly. A field's own facet filter does not
 * apply to its counts, so the other values to choose from are shown too. Processes one field at a time so
 * that searches run in between.
 */
export async function countFacets(
  store: VectorStore,
  matches: readonly ModelMatch[],
  fields: readonly FacetField[],
  maxValues: number,
): Promise<Facet[]> {
  const facets: Facet[] = [];
  for (const field of fields) facets.push(await countFacet(store, matches, field, maxValues));
  return facets;
}

async function countFacet(
  store: VectorStore,
  matches: readonly ModelMatch[],
  field: FacetField,
  maxValues: number,
): Promise<Facet> {
  const kind = kindOfField(field);
  // Counts of several models are added, and statistics need all values; otherwise the most frequent
  // values are enough.
  const limit = kind === 'text' && matches.length === 1 ? maxValues : undefined;
  const [counted, dates] = await Promise.all([
    Promise.all(
      matches.map((match) =>
        store.facet(match.model, { ...documentsOf(match, field), field, limit, maxValues: SEARCH_LIMITS.factValues }),
      ),
    ),
    kind === 'date' ? statsOfDates(store, matches, field === 'createdAt' ? 'createdAt' : 'updatedAt') : undefined,
  ]);
  const values = sumByValue(counted);
  const stats = kind === 'date' ? dates : kind === 'free' ? statsOfValues(values) : undefined;
  return { field, values: values.slice(0, maxValues), stats, exhaustive: true };
}

function sumByValue(counted: readonly (readonly FacetValue[])[]): readonly FacetValue[] {
  const [only] = counted;
  if (counted.length === 1 && only) return only;
  const counts = new Map<FacetValue['value'], number>();
  for (const { value, count } of counted.flat()) counts.set(value, (counts.get(value) ?? 0) + count);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || compareFactValues(a.value, b.value));
}
