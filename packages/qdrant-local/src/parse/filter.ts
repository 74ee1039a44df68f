import { formatError, notSupported, validationError } from '../errors.ts';
import type { Condition, FieldCondition, Filter, Match, Range } from '../filter/types.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../json/types.ts';
import { parseDatetimeMicros } from '../model/datetime.ts';
import {
  oneOrMany,
  optional,
  readArray,
  readBoolean,
  readNumber,
  readObject,
  readPath,
  readPointIds,
  readString,
  readUnsigned,
  rejectUnknownKeys,
  required,
} from './reader.ts';

// The maximum nesting of filters, so that no request can exhaust the stack.
const maxDepth = 64;
const clauseNames = ['must', 'should', 'must_not', 'min_should'] as const;
const geoNames = ['geo_bounding_box', 'geo_radius', 'geo_polygon'] as const;
const boundNames = ['lt', 'gt', 'gte', 'lte'] as const;

function readVariants(value: JsonValue, field: string): { values: Set<string | number>; of: 'string' | 'number' } {
  const values = new Set<string | number>();
  const list = readArray(value, field);
  const of = typeof list[0] === 'number' ? 'number' : 'string';
  for (const member of list) {
    if (typeof member === 'number' ? of === 'string' || !Number.isInteger(member) : typeof member !== of)
      throw formatError(`${field}: expected a list of strings or a list of integers`);
    if (typeof member === 'string' || typeof member === 'number') values.add(member);
  }
  return { values, of };
}

function readMatch(value: JsonValue): Match {
  const object = readObject(value, 'match');
  if (Object.hasOwn(object, 'value')) {
    const wanted = required(object, 'value');
    const isScalar = typeof wanted === 'string' || typeof wanted === 'boolean';
    if (!isScalar && !(typeof wanted === 'number' && Number.isInteger(wanted)))
      throw formatError('match.value: expected a string, an integer or a boolean');
    return { kind: 'value', value: wanted };
  }
  if (Object.hasOwn(object, 'text')) return { kind: 'text', text: readString(required(object, 'text'), 'match.text') };
  if (Object.hasOwn(object, 'text_any'))
    return { kind: 'textAny', text: readString(required(object, 'text_any'), 'match.text_any') };
  if (Object.hasOwn(object, 'phrase'))
    return { kind: 'phrase', text: readString(required(object, 'phrase'), 'match.phrase') };
  if (Object.hasOwn(object, 'prefix'))
    return { kind: 'prefix', prefix: readString(required(object, 'prefix'), 'match.prefix') };
  if (Object.hasOwn(object, 'any'))
    return { kind: 'any', values: readVariants(required(object, 'any'), 'match.any').values };
  if (Object.hasOwn(object, 'except'))
    return { kind: 'except', ...readVariants(required(object, 'except'), 'match.except') };
  throw formatError('match: expected one of `value`, `text`, `text_any`, `phrase`, `prefix`, `any`, `except`');
}

function readBounds(object: JsonObject, read: (value: JsonValue, field: string) => number): Range {
  const range: { -readonly [K in keyof Range]: Range[K] } = {};
  for (const name of boundNames) {
    const bound = optional(object, name);
    if (bound !== undefined) range[name] = read(bound, `range.${name}`);
  }
  return range;
}

function readDate(value: JsonValue, field: string): number {
  const text = readString(value, field);
  const micros = parseDatetimeMicros(text);
  if (micros === undefined) throw formatError(`${field}: ${JSON.stringify(text)} is not an RFC 3339 date`);
  return micros;
}

function readFieldCondition(object: JsonObject): FieldCondition {
  for (const name of geoNames)
    if (optional(object, name) !== undefined) throw notSupported(`The condition \`${name}\``);
  const condition: { -readonly [K in keyof FieldCondition]: FieldCondition[K] } = {
    kind: 'field',
    path: readPath(required(object, 'key'), 'key'),
  };
  const match = optional(object, 'match');
  if (match !== undefined) condition.match = readMatch(match);
  const range = optional(object, 'range');
  if (range !== undefined) {
    const bounds = readObject(range, 'range');
    rejectUnknownKeys(bounds, boundNames, 'range');
    const isDate = boundNames.some((name) => typeof optional(bounds, name) === 'string');
    if (isDate) condition.datetimeRange = readBounds(bounds, readDate);
    else condition.range = readBounds(bounds, readNumber);
  }
  const count = optional(object, 'values_count');
  if (count !== undefined) condition.valuesCount = readBounds(readObject(count, 'values_count'), readUnsigned);
  const isEmpty = optional(object, 'is_empty');
  if (isEmpty !== undefined) condition.isEmpty = readBoolean(isEmpty, 'is_empty');
  const isNull = optional(object, 'is_null');
  if (isNull !== undefined) condition.isNull = readBoolean(isNull, 'is_null');
  if (Object.keys(condition).length === 2)
    throw validationError('filter', 'At least one field condition must be specified');
  return condition;
}

/** Parses a condition. @throws QdrantError 400 or 422 */
export function readCondition(value: JsonValue, depth = 0): Condition {
  const object = readObject(value, 'condition');
  if (Object.hasOwn(object, 'key')) return readFieldCondition(object);
  if (Object.hasOwn(object, 'is_empty')) {
    const field = readObject(required(object, 'is_empty'), 'is_empty');
    return { kind: 'isEmpty', path: readPath(required(field, 'key'), 'is_empty.key') };
  }
  if (Object.hasOwn(object, 'is_null')) {
    const field = readObject(required(object, 'is_null'), 'is_null');
    return { kind: 'isNull', path: readPath(required(field, 'key'), 'is_null.key') };
  }
  if (Object.hasOwn(object, 'has_id'))
    return { kind: 'hasId', ids: readPointIds(required(object, 'has_id'), 'has_id') };
  if (Object.hasOwn(object, 'has_vector'))
    return { kind: 'hasVector', name: readString(required(object, 'has_vector'), 'has_vector') };
  if (Object.hasOwn(object, 'slice')) throw notSupported('The condition `slice`');
  if (Object.hasOwn(object, 'nested')) {
    const nested = readObject(required(object, 'nested'), 'nested');
    return {
      kind: 'nested',
      path: readPath(required(nested, 'key'), 'nested.key'),
      filter: readFilter(required(nested, 'filter'), depth + 1),
    };
  }
  return { kind: 'filter', filter: readFilter(object, depth + 1) };
}

function readClause(object: JsonObject, name: string, depth: number): Condition[] | undefined {
  const conditions = oneOrMany(optional(object, name)).map((value) => readCondition(value, depth));
  return conditions.length > 0 ? conditions : undefined;
}

/** Parses a filter. @throws QdrantError 400 or 422 */
function readFilter(value: JsonValue, depth = 0): Filter {
  if (depth > maxDepth) throw formatError(`filter: nested deeper than ${maxDepth} levels`);
  const object = readObject(value, 'filter');
  rejectUnknownKeys(object, clauseNames, 'filter');
  const must = readClause(object, 'must', depth);
  const should = readClause(object, 'should', depth);
  const mustNot = readClause(object, 'must_not', depth);
  const minShould = optional(object, 'min_should');
  return {
    ...(must && { must }),
    ...(should && { should }),
    ...(mustNot && { mustNot }),
    ...(minShould !== undefined && readMinShould(minShould, depth)),
  };
}

function readMinShould(value: JsonValue, depth: number): Pick<Filter, 'minShould'> {
  const object = readObject(value, 'min_should');
  const list = required(object, 'conditions');
  const conditions = (isJsonArray(list) ? list : [list]).map((member) => readCondition(member, depth));
  const minCount = readUnsigned(required(object, 'min_count'), 'min_should.min_count');
  return conditions.length > 0 ? { minShould: { conditions, minCount } } : {};
}

// The filters parsed last, by their text, so that the results of a filter can be reused. The legs
// of one search often have the same one, which can name thousands of principals.
const parsed = new Map<string, Filter>();
const maxParsed = 32;
const maxParsedText = 256 * 1024;

/** Parses a filter, or returns the object of an equal one. @throws QdrantError 400 or 422 */
export function parseOnce(value: JsonValue): Filter {
  const text = JSON.stringify(value);
  const known = parsed.get(text);
  const filter = known ?? readFilter(value);
  if (text.length > maxParsedText) return filter;
  // The most recently used filter is last.
  parsed.delete(text);
  parsed.set(text, filter);
  const [oldest] = parsed.size > maxParsed ? parsed.keys() : [];
  if (oldest !== undefined) parsed.delete(oldest);
  return filter;
}

/** Parses the filter of a request, if it has one. @throws QdrantError 400 or 422 */
export function optionalFilter(object: JsonObject, key = 'filter'): Filter | undefined {
  const value = optional(object, key);
  return value === undefined ? undefined : parseOnce(value);
}
