import { isJsonArray, type JsonValue } from '../json/types.ts';
import { parseDatetimeMicros } from '../model/datetime.ts';
import { type FieldCondition, inRange, type Match } from './types.ts';

function checkExcept(values: ReadonlySet<string | number>, of: 'string' | 'number', value: JsonValue): boolean {
  if (value === null) return false;
  // A value of another type never equals a listed one.
  return typeof value === of && (typeof value === 'string' || typeof value === 'number') ? !values.has(value) : true;
}

/** Compares one payload value (not an array) with a match. */
function checkMatch(match: Match, value: JsonValue): boolean {
  switch (match.kind) {
    case 'value':
      return value === match.value;
    case 'text':
    case 'phrase':
      return typeof value === 'string' && value.includes(match.text);
    case 'textAny':
      return (
        typeof value === 'string' &&
        match.text
          .split(/\s+/u)
          .filter(Boolean)
          .some((word) => value.includes(word))
      );
    case 'prefix':
      return typeof value === 'string' && value.startsWith(match.prefix);
    case 'any':
      return (typeof value === 'string' || typeof value === 'number') && match.values.has(value);
    case 'except':
      return checkExcept(match.values, match.of, value);
  }
}

function checkSingle(condition: FieldCondition, value: JsonValue): boolean {
  if (condition.match && checkMatch(condition.match, value)) return true;
  if (condition.range && typeof value === 'number' && inRange(condition.range, value)) return true;
  if (condition.datetimeRange && typeof value === 'string') {
    const micros = parseDatetimeMicros(value);
    return micros !== undefined && inRange(condition.datetimeRange, micros);
  }
  return false;
}

function valueCount(value: JsonValue): number {
  if (value === null) return 0;
  return isJsonArray(value) ? value.length : 1;
}

/** Checks one value at the condition's path. An array matches if one of its elements does. */
function checkFound(condition: FieldCondition, value: JsonValue): boolean {
  if (condition.valuesCount) return inRange(condition.valuesCount, valueCount(value));
  if (condition.isEmpty !== undefined) {
    const empty = value === null || (isJsonArray(value) && value.length === 0);
    return empty === condition.isEmpty;
  }
  if (condition.isNull !== undefined) {
    const isNull = value === null || (isJsonArray(value) && value.includes(null));
    return isNull === condition.isNull;
  }
  return isJsonArray(value) ? value.some((inner) => checkSingle(condition, inner)) : checkSingle(condition, value);
}

/** Checks a field condition against all values at its path. */
export function checkField(condition: FieldCondition, found: readonly JsonValue[]): boolean {
  if (found.length > 0) return found.some((value) => checkFound(condition, value));
  if (condition.isEmpty !== undefined) return condition.isEmpty;
  if (condition.isNull !== undefined) return !condition.isNull;
  return false;
}

/** Checks `is_empty`: no value, or only nulls and empty arrays. */
export function checkIsEmpty(found: readonly JsonValue[]): boolean {
  return found.every((value) => value === null || (isJsonArray(value) && value.length === 0));
}

/** Checks `is_null`: at least one value is null. */
export function checkIsNull(found: readonly JsonValue[]): boolean {
  return found.some((value) => value === null);
}
