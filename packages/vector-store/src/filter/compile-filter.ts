import { AppError } from '@lectern/service-kit';
import type { Filter, FilterScalar } from '#filter/filter';
import type { Condition } from '#scope/scoped-filter';

/** Qdrant takes an empty `should` as true; an empty list of ids matches nothing. */
const NOTHING: Condition = { has_id: [] };

const DATE_FIELDS: ReadonlySet<string> = new Set(['updatedAt', 'createdAt']);
const PLAIN_KEY = /^[A-Za-z0-9_-]+$/;

/**
 * The filter as a condition of Qdrant's.
 * @throws AppError `invalid_request` for a date that is none, a text compared as greater or less, or a metadata key with a quote in it.
 */
export function compileFilter(filter: Filter): Condition {
  if ('all' in filter) return { must: filter.all.map(compileFilter) };
  if ('any' in filter) return filter.any.length === 0 ? NOTHING : { should: filter.any.map(compileFilter) };
  if ('not' in filter) return { must_not: [compileFilter(filter.not)] };
  const key = payloadKey(filter.field);
  switch (filter.op) {
    case 'eq':
      return equal(key, filter.value);
    case 'ne':
      return { must_not: [equal(key, filter.value)] };
    case 'in':
      return anyOf(key, filter.value);
    case 'nin':
      return { must_not: [anyOf(key, filter.value)] };
    case 'exists':
      return filter.value ? { must_not: [{ is_empty: { key } }] } : { is_empty: { key } };
    default:
      return { key, range: { [filter.op]: bound(filter.field, filter.value) } };
  }
}

/** Qdrant matches whole numbers, texts and truth values exactly; other numbers and dates are ranges of one point. */
function equal(key: string, value: FilterScalar): Condition {
  if (DATE_FIELDS.has(key)) return { key, range: { gte: toDate(key, value), lte: toDate(key, value) } };
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return { key, range: { gte: value, lte: value } };
  return { key, match: { value } };
}

function anyOf(key: string, values: readonly FilterScalar[]): Condition {
  return values.length === 0 ? NOTHING : { should: values.map((value) => equal(key, value)) };
}

function bound(field: string, value: string | number): string | number {
  return typeof value === 'number' && !DATE_FIELDS.has(field) ? value : toDate(field, value);
}

function toDate(field: string, value: FilterScalar): string {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  const message = `${field} is compared with ${JSON.stringify(value)}; give a date in ISO 8601 form.`;
  throw new AppError('invalid_request', message, { details: { field } });
}

/** Keys that Qdrant's path syntax would misread are quoted; it has no escape for a quote itself. */
function payloadKey(field: string): string {
  if (field.includes('"')) {
    throw new AppError('invalid_request', `${field} cannot be filtered by: its name has a quote in it.`, {
      details: { field },
    });
  }
  return field
    .split('.')
    .map((key) => (PLAIN_KEY.test(key) ? key : `"${key}"`))
    .join('.');
}
