import { type Filter, type FilterField, kindOfField, parseIsoDate } from '@lectern/contracts';
import { invalidRequest } from '@lectern/service-kit';
import type { FactValue, ScopedRequest, VectorStore } from '@lectern/vector-store';
import { SEARCH_LIMITS } from '#limits';

/** Counts the values within a request's ranges, and rejects too many. */
type Take = (count: number) => void;
type Values = (field: FilterField) => Promise<readonly FactValue[]>;
type Range = Extract<Filter, { readonly op: 'gt' | 'gte' | 'lt' | 'lte' }>;

/**
 * Replaces every metadata range in a filter by the list of existing values within it. Metadata
 * values are indexed without order: listing them takes milliseconds, while a range would read the
 * metadata of every passage.
 */
export function resolveRanges(
  store: VectorStore,
  model: string,
  scope: ScopedRequest,
  filter: Filter,
): Promise<Filter> {
  const known = new Map<FilterField, Promise<readonly FactValue[]>>();
  const { filter: _filter, ...within } = scope;
  const { rangeValues, factValues: maxValues } = SEARCH_LIMITS;
  const valuesOf: Values = (field) => {
    const values =
      known.get(field) ??
      store.facet(model, { ...within, field, maxValues }).then((found) => found.map(({ value }) => value));
    known.set(field, values);
    return values;
  };
  let taken = 0;
  const take: Take = (count) => {
    taken += count;
    if (taken > rangeValues) {
      throw tooMany(
        `must not have ranges with more than ${rangeValues} values in total. Use narrower ranges, or search fewer collections`,
      );
    }
  };
  return resolve(filter, valuesOf, take);
}

const tooMany = (message: string) => invalidRequest([{ path: 'filters', message }]);

/** Runs sequentially, so that no call is running after an error. */
async function resolveAll(filters: readonly Filter[], valuesOf: Values, take: Take): Promise<Filter[]> {
  const resolved: Filter[] = [];
  for (const filter of filters) resolved.push(await resolve(filter, valuesOf, take));
  return resolved;
}

async function resolve(filter: Filter, valuesOf: Values, take: Take): Promise<Filter> {
  if ('all' in filter) return { all: await resolveAll(filter.all, valuesOf, take) };
  if ('any' in filter) return { any: await resolveAll(filter.any, valuesOf, take) };
  if ('not' in filter) return { not: await resolve(filter.not, valuesOf, take) };
  if (!isRange(filter) || kindOfField(filter.field) !== 'free') return filter;
  const values = (await valuesOf(filter.field)).filter((value) => isWithin(filter, value));
  take(values.length);
  return { field: filter.field, op: 'in', value: values };
}

function isRange(filter: Filter): filter is Range {
  return 'op' in filter && ['gt', 'gte', 'lt', 'lte'].includes(filter.op);
}

/** Compares numbers with numbers and dates with dates; other values are never within a range. */
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
