import { FILTER_FIELDS, filterFieldOf } from '#filters/fields';
import type { Filter } from '#filters/filter';
import { FILTER_LIMITS, filterSizeFault } from '#filters/filter-size';
import { readComparison } from '#filters/read-comparison';
import { type FilterIssue, type FilterReading, isObject } from '#filters/reading';

/** A parsed filter, or what is wrong with it. */
export interface ParsedFilters {
  /** Undefined if there are no conditions. */
  readonly filter: Filter | undefined;
  /** Empty if the filters are valid. */
  readonly issues: readonly FilterIssue[];
}

/**
 * Parses the filters of a request: `{field: value}`, `{field: {$op: value}}`, `$and`, `$or` and
 * `$not`. All members of an object must match.
 */
export function parseFilters(filters: Readonly<Record<string, unknown>> | undefined): ParsedFilters {
  if (filters === undefined || Object.keys(filters).length === 0) return { filter: undefined, issues: [] };
  const sizeError = filterSizeFault(filters);
  if (sizeError !== undefined) return { filter: undefined, issues: [{ path: 'filters', message: sizeError }] };
  const reading: FilterReading = { issues: [], ranges: 0 };
  const filter = readObject(filters, 'filters', 1, reading);
  if (reading.ranges > FILTER_LIMITS.ranges) {
    const message = `must have at most ${FILTER_LIMITS.ranges} ranges over metadata`;
    reading.issues.push({ path: 'filters', message });
  }
  return { filter, issues: reading.issues };
}

function readObject(value: unknown, path: string, depth: number, reading: FilterReading): Filter {
  if (depth > FILTER_LIMITS.depth) {
    reading.issues.push({ path, message: `must not be nested deeper than ${FILTER_LIMITS.depth} levels` });
    return { all: [] };
  }
  if (!isObject(value)) {
    reading.issues.push({ path, message: 'must be an object' });
    return { all: [] };
  }
  const members = Object.entries(value).map(([name, inner]) =>
    readMember(name, inner, `${path}.${name}`, depth, reading),
  );
  const [only] = members;
  return members.length === 1 && only ? only : { all: members };
}

function readMember(name: string, value: unknown, path: string, depth: number, reading: FilterReading): Filter {
  if (name === '$and') return { all: readList(value, path, depth, reading) };
  if (name === '$or') return { any: readList(value, path, depth, reading) };
  if (name === '$not') return { not: readObject(value, path, depth + 1, reading) };
  const field = filterFieldOf(name);
  if (field !== undefined) return readComparison(field, value, path, reading);
  const message = name.startsWith('$')
    ? 'is an unknown operator. Use $and, $or or $not'
    : `is an unknown filter field. Use one of ${FILTER_FIELDS}`;
  reading.issues.push({ path, message });
  return { all: [] };
}

function readList(value: unknown, path: string, depth: number, reading: FilterReading): Filter[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.map((element, at) => readObject(element, `${path}[${at}]`, depth + 1, reading));
  }
  reading.issues.push({ path, message: 'must be a list of at least 1 filter' });
  return [];
}
