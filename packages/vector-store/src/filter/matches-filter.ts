import { type Filter, type FilterField, type FilterScalar, isIsoDay, parseIsoDate } from '@lectern/contracts';
import { type FactSource, factKey, factsOf, presenceFact, valueFact } from '#layout/facts';

/** The fields of a document that filters compare. */
export interface FilteredDocument extends FactSource {
  readonly source: string;
  readonly connector?: string | undefined;
  readonly collection: string;
  readonly type: string;
}

/** A comparison of one field. */
type Comparison = Extract<Filter, { readonly field: FilterField }>;
type Reader = (comparison: Comparison) => boolean;

const DAY_MS = 86_400_000;

/**
 * True if a document matches a filter. The same rules as `compileFilter`, for a document that is at
 * hand instead of in the index.
 */
export function matchesFilter(filter: Filter, document: FilteredDocument): boolean {
  const facts = new Map(Object.entries(factsOf(document)).map(([bucket, list]) => [`facts.${bucket}`, new Set(list)]));
  const has = (field: FilterField, fact: string) => facts.get(factKey(field))?.has(fact) === true;
  return matches(filter, (comparison) => {
    const { field } = comparison;
    if (field === 'createdAt' || field === 'updatedAt') return compareDate(comparison, document[field]);
    if (field === 'author' || field.startsWith('metadata.')) return compareFacts(comparison, document, has);
    return compareText(comparison, textOf(field, document));
  });
}

function matches(filter: Filter, read: Reader): boolean {
  if ('all' in filter) return filter.all.every((inner) => matches(inner, read));
  if ('any' in filter) return filter.any.some((inner) => matches(inner, read));
  if ('not' in filter) return !matches(filter.not, read);
  return read(filter);
}

function textOf(field: FilterField, { source, connector, collection, type }: FilteredDocument): string | undefined {
  const texts: Partial<Record<FilterField, string | undefined>> = { source, connector, collection, type };
  return texts[field];
}

/** Evaluates the operators that compare with values; `equals` compares with one. */
function compareValues(comparison: Comparison, exists: boolean, equals: (value: FilterScalar) => boolean): boolean {
  const isEqual = (value: FilterScalar) => (value === null ? !exists : equals(value));
  switch (comparison.op) {
    case 'eq':
      return isEqual(comparison.value);
    case 'ne':
      return !isEqual(comparison.value);
    case 'in':
      return comparison.value.some(isEqual);
    case 'nin':
      return !comparison.value.some(isEqual);
    case 'exists':
      return exists === comparison.value;
    default:
      return false;
  }
}

const compareText = (comparison: Comparison, text: string | undefined): boolean =>
  compareValues(comparison, text !== undefined, (value) => value === text);

function compareDate(comparison: Comparison, text: string): boolean {
  const time = Date.parse(text);
  if (isRange(comparison)) return isWithin(comparison.op, time, timeOf(comparison.value));
  return compareValues(comparison, true, (value) => {
    const from = timeOf(value);
    const until = typeof value === 'string' && isIsoDay(value) ? from + DAY_MS : from + 1;
    return time >= from && time < until;
  });
}

function compareFacts(
  comparison: Comparison,
  { metadata }: FilteredDocument,
  has: (field: FilterField, fact: string) => boolean,
): boolean {
  const { field } = comparison;
  if (!isRange(comparison)) {
    const exists = has(field, presenceFact(field));
    return compareValues(comparison, exists, (value) => value !== null && has(field, valueFact(field, value)));
  }
  const { op, value: bound } = comparison;
  const path = field === 'author' ? ['author'] : field.split('.').slice(1);
  return valuesAt(metadata, path).some((value) =>
    typeof bound === 'number'
      ? typeof value === 'number' && isWithin(op, value, bound)
      : typeof value === 'string' && isWithin(op, timeOf(value), timeOf(bound)),
  );
}

/** Ranges read the metadata itself. */
function valuesAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const [name, ...rest] = path;
  if (name === undefined) return Array.isArray(value) ? value : [value];
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return [];
  return valuesAt(Reflect.get(value, name), rest);
}

type Range = Extract<Comparison, { readonly op: 'gt' | 'gte' | 'lt' | 'lte' }>;

const isRange = (comparison: Comparison): comparison is Range => ['gt', 'gte', 'lt', 'lte'].includes(comparison.op);

function isWithin(op: Range['op'], value: number, bound: number): boolean {
  switch (op) {
    case 'gt':
      return value > bound;
    case 'gte':
      return value >= bound;
    case 'lt':
      return value < bound;
    case 'lte':
      return value <= bound;
  }
}

/** Not a number for a text that is no date: it is never within a range. */
const timeOf = (value: unknown): number =>
  typeof value === 'string' ? (parseIsoDate(value) ?? Number.NaN) : Number.NaN;
