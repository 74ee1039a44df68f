import type { Filter, FilterField, FilterScalar } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';
import { type Condition, equals, NOTHING } from '#filter/conditions';
import { dateBound, dateRange } from '#filter/iso-date';
import { factKey, presenceFact, valueFact } from '#layout/facts';

const PLAIN_KEY = /^[A-Za-z0-9_-]+$/;

/**
 * Compiles a filter to a Qdrant condition.
 * @throws AppError `invalid_request` for an invalid date, a text compared as greater or less, or a
 * range over a metadata key that contains a quote
 */
export function compileFilter(filter: Filter): Condition {
  if ('all' in filter) return { must: filter.all.map(compileFilter) };
  if ('any' in filter) return filter.any.length === 0 ? NOTHING : { should: filter.any.map(compileFilter) };
  if ('not' in filter) return negate(compileFilter(filter.not));
  const { field } = filter;
  switch (filter.op) {
    case 'eq':
      return equal(field, filter.value);
    case 'ne':
      return negate(equal(field, filter.value));
    case 'in':
      return anyOf(field, filter.value);
    case 'nin':
      return negate(anyOf(field, filter.value));
    case 'exists':
      return filter.value ? negate(isMissing(field)) : isMissing(field);
    default:
      return { key: payloadKey(field), range: { [filter.op]: bound(field, filter.value) } };
  }
}

const negate = (condition: Condition): Condition => ({ must_not: [condition] });

/** Returns how a field is stored: as a date, as a text field, or as facts. */
function kindOf(field: FilterField): 'date' | 'text' | 'facts' {
  if (field === 'updatedAt' || field === 'createdAt') return 'date';
  return field === 'author' || field.startsWith('metadata.') ? 'facts' : 'text';
}

function equal(field: FilterField, value: FilterScalar): Condition {
  if (value === null) return isMissing(field);
  switch (kindOf(field)) {
    case 'date':
      return { key: field, range: dateRange(field, value) };
    case 'text':
      return typeof value === 'string' ? equals(field, value) : NOTHING;
    case 'facts':
      return equals(factKey(field), valueFact(field, value));
  }
}

function anyOf(field: FilterField, values: readonly FilterScalar[]): Condition {
  return values.length === 0 ? NOTHING : { should: values.map((value) => equal(field, value)) };
}

function isMissing(field: FilterField): Condition {
  if (kindOf(field) === 'facts') return negate(equals(factKey(field), presenceFact(field)));
  return { is_empty: { key: field } };
}

function bound(field: FilterField, value: string | number): string | number {
  return typeof value === 'number' && kindOf(field) !== 'date' ? value : dateBound(field, value);
}

/**
 * Ranges read the metadata itself. Keys that Qdrant's path syntax would misinterpret are quoted;
 * the syntax has no escape for a quote.
 */
function payloadKey(field: FilterField): string {
  if (field.includes('"')) {
    const message = `${field} cannot be compared as greater or less, because its name contains a quote.`;
    throw new AppError('invalid_request', message, { details: { field } });
  }
  const path = field === 'author' ? 'metadata.author' : field;
  return path
    .split('.')
    .map((key) => (PLAIN_KEY.test(key) ? key : `"${key}"`))
    .join('.');
}
