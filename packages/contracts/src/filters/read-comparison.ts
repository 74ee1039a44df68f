import { kindOfField } from '#filters/fields';
import type { Filter, FilterField, FilterScalar } from '#filters/filter';
import { parseIsoDate } from '#filters/iso-date';
import { type FilterReading, isObject } from '#filters/reading';

const OPERATORS = '$eq, $ne, $in, $nin, $gt, $gte, $lt, $lte, $exists, $not';
const EVERYTHING: Filter = { all: [] };

/**
 * Parses what a field is compared with: a value, a list that contains it, or operators that must
 * all match.
 */
export function readComparison(field: FilterField, value: unknown, path: string, reading: FilterReading): Filter {
  if (Array.isArray(value)) return readOperator(field, '$in', value, path, reading);
  if (!isObject(value)) return readOperator(field, '$eq', value, path, reading);
  const operators = Object.entries(value);
  if (operators.length === 0) return reject(reading, path, `must be a value or have operators: ${OPERATORS}`);
  const filters = operators.map(([operator, operand]) =>
    readOperator(field, operator, operand, `${path}.${operator}`, reading),
  );
  const [only] = filters;
  return filters.length === 1 && only ? only : { all: filters };
}

function readOperator(
  field: FilterField,
  operator: string,
  value: unknown,
  path: string,
  reading: FilterReading,
): Filter {
  switch (operator) {
    case '$eq':
      return { field, op: 'eq', value: readScalar(field, value, path, reading) };
    case '$ne':
      return { field, op: 'ne', value: readScalar(field, value, path, reading) };
    case '$in':
      return { field, op: 'in', value: readScalars(field, value, path, reading) };
    case '$nin':
      return { field, op: 'nin', value: readScalars(field, value, path, reading) };
    case '$gt':
      return { field, op: 'gt', value: readBound(field, value, path, reading) };
    case '$gte':
      return { field, op: 'gte', value: readBound(field, value, path, reading) };
    case '$lt':
      return { field, op: 'lt', value: readBound(field, value, path, reading) };
    case '$lte':
      return { field, op: 'lte', value: readBound(field, value, path, reading) };
    case '$exists':
      if (typeof value === 'boolean') return { field, op: 'exists', value };
      return reject(reading, path, 'must be true or false');
    case '$not':
      return readNegation(field, value, path, reading);
    default:
      return reject(reading, path, `is an unknown operator. Use one of ${OPERATORS}`);
  }
}

/** Parses a `$not` inside a comparison. It can contain other operators, but no second `$not`. */
function readNegation(field: FilterField, value: unknown, path: string, reading: FilterReading): Filter {
  if (isObject(value) && Object.hasOwn(value, '$not'))
    return reject(reading, `${path}.$not`, 'must not be inside $not');
  return { not: readComparison(field, value, path, reading) };
}

function readScalars(field: FilterField, value: unknown, path: string, reading: FilterReading): FilterScalar[] {
  if (Array.isArray(value)) return value.map((element, at) => readScalar(field, element, `${path}[${at}]`, reading));
  reject(reading, path, 'must be a list');
  return [];
}

function readScalar(field: FilterField, value: unknown, path: string, reading: FilterReading): FilterScalar {
  if (value === null) return null;
  const kind = kindOfField(field);
  if (kind === 'date') {
    if (typeof value === 'string' && parseIsoDate(value) !== undefined) return value;
    reject(reading, path, 'must be a date in ISO 8601 format');
  } else if (kind === 'text') {
    if (typeof value === 'string') return value;
    reject(reading, path, 'must be a string');
  } else {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
    reject(reading, path, 'must be a string, a number, true, false or null');
  }
  return null;
}

function readBound(field: FilterField, value: unknown, path: string, reading: FilterReading): string | number {
  const kind = kindOfField(field);
  if (kind === 'free') reading.ranges += 1;
  const isDate = typeof value === 'string' && parseIsoDate(value) !== undefined;
  if (kind === 'text') reject(reading, path, `does not apply: ${field} is a string, not a number or a date`);
  else if (isDate) return value;
  else if (kind === 'date') reject(reading, path, 'must be a date in ISO 8601 format');
  else if (typeof value === 'number') return value;
  else reject(reading, path, 'must be a number or a date in ISO 8601 format');
  return 0;
}

function reject(reading: FilterReading, path: string, message: string): Filter {
  reading.issues.push({ path, message });
  return EVERYTHING;
}
