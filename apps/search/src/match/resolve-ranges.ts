import {
  type FactValue,
  type Filter,
  type FilterField,
  parseIsoDate,
  type ScopedRequest,
  type VectorStore,
} from '@lectern/vector-store';
import { kindOf } from '#filters/fields';

type Values = (field: FilterField) => Promise<readonly FactValue[]>;
type Range = Extract<Filter, { readonly op: 'gt' | 'gte' | 'lt' | 'lte' }>;

/**
 * The same filter with every range over metadata as a list of the values there are within it. Metadata has an index of its values but none of their
 * order: listing them takes some milliseconds, while a range would read the metadata of every passage.
 */
export function resolveRanges(
  store: VectorStore,
  model: string,
  reach: ScopedRequest,
  filter: Filter,
): Promise<Filter> {
  const known = new Map<FilterField, Promise<readonly FactValue[]>>();
  const { filter: _filter, ...within } = reach;
  const valuesOf: Values = (field) => {
    const values =
      known.get(field) ?? store.facet(model, { ...within, field }).then((found) => found.map(({ value }) => value));
    known.set(field, values);
    return values;
  };
  return resolve(filter, valuesOf);
}

async function resolve(filter: Filter, valuesOf: Values): Promise<Filter> {
  if ('all' in filter) return { all: await Promise.all(filter.all.map((inner) => resolve(inner, valuesOf))) };
  if ('any' in filter) return { any: await Promise.all(filter.any.map((inner) => resolve(inner, valuesOf))) };
  if ('not' in filter) return { not: await resolve(filter.not, valuesOf) };
  if (!isRange(filter) || kindOf(filter.field) !== 'free') return filter;
  const values = await valuesOf(filter.field);
  return { field: filter.field, op: 'in', value: values.filter((value) => isWithin(filter, value)) };
}

function isRange(filter: Filter): filter is Range {
  return 'op' in filter && ['gt', 'gte', 'lt', 'lte'].includes(filter.op);
}

/** Numbers are compared with numbers and dates with dates; nothing else is within a range. */
function isWithin({ op, value: bound }: Range, value: FactValue): boolean {
  const difference = typeof bound === 'number' ? numberOf(value) - bound : timeOf(value) - timeOf(bound);
  switch (op) {
    case 'gt':
      return difference > 0;
    case 'gte':
      return difference >= 0;
    case 'lt':
      return difference < 0;
    case 'lte':
      return difference <= 0;
  }
}

const numberOf = (value: FactValue): number => (typeof value === 'number' ? value : Number.NaN);
const timeOf = (value: FactValue): number =>
  typeof value === 'string' ? (parseIsoDate(value) ?? Number.NaN) : Number.NaN;
