import { formatError, validationError } from '../errors.ts';
import { type JsonPath, parseJsonPath } from '../json/path.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from '../json/types.ts';
import { type PointId, parsePointId } from '../model/point-id.ts';

function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** A property, with null taken as absent, as Qdrant does for every optional field. */
export function optional(object: JsonObject, key: string): JsonValue | undefined {
  return ownValue(object, key) ?? undefined;
}

/** A property that must be there. @throws QdrantError 400 */
export function required(object: JsonObject, key: string): JsonValue {
  const value = ownValue(object, key);
  if (value === undefined) throw formatError(`missing field \`${key}\``);
  return value;
}

/** @throws QdrantError 400 naming the field when the value is no object */
export function readObject(value: JsonValue, field: string): JsonObject {
  if (!isJsonObject(value)) throw formatError(`${field}: expected an object, got ${shown(value)}`);
  return value;
}

/** @throws QdrantError 400 naming the field when the value is no array */
export function readArray(value: JsonValue, field: string): readonly JsonValue[] {
  if (!isJsonArray(value)) throw formatError(`${field}: expected an array, got ${shown(value)}`);
  return value;
}

/** @throws QdrantError 400 naming the field when the value is no string */
export function readString(value: JsonValue, field: string): string {
  if (typeof value !== 'string') throw formatError(`${field}: expected a string, got ${shown(value)}`);
  return value;
}

/** @throws QdrantError 400 naming the field when the value is no number */
export function readNumber(value: JsonValue, field: string): number {
  if (typeof value !== 'number') throw formatError(`${field}: expected a number, got ${shown(value)}`);
  return value;
}

/** @throws QdrantError 400 naming the field when the value is no boolean */
export function readBoolean(value: JsonValue, field: string): boolean {
  if (typeof value !== 'boolean') throw formatError(`${field}: expected a boolean, got ${shown(value)}`);
  return value;
}

/** An unsigned integer of at least `min`. @throws QdrantError 400 for another type, 422 below `min` */
export function readUnsigned(value: JsonValue, field: string, min = 0): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw formatError(`${field}: expected an unsigned integer, got ${shown(value)}`);
  if (value < min) throw validationError(field, `value ${value} invalid, must be ${min.toFixed(1)} or larger`);
  return value;
}

/** A value, or a list of values, as a list. */
export function oneOrMany(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return isJsonArray(value) ? value : [value];
}

/** @throws QdrantError 400 when the value is no point id */
export function readPointId(value: JsonValue): PointId {
  const id = parsePointId(value);
  if (id === undefined)
    throw formatError(
      `value ${shown(value)} is not a valid point ID, valid values are either an unsigned integer or a UUID`,
    );
  return id;
}

/** @throws QdrantError 400 when a member is no point id */
export function readPointIds(value: JsonValue, field: string): PointId[] {
  return readArray(value, field).map(readPointId);
}

/** @throws QdrantError 400 when the text is no payload path */
export function readPath(value: JsonValue, field: string): JsonPath {
  const text = readString(value, field);
  const path = parseJsonPath(text);
  if (!path) throw formatError(`${field}: Invalid json path: '${text}'`);
  return path;
}

/** Refuses members that the form does not have. @throws QdrantError 400 */
export function refuseUnknown(object: JsonObject, known: readonly string[], what: string): void {
  for (const key of Object.keys(object)) {
    if (!known.includes(key))
      throw formatError(
        `${what}: unknown field \`${key}\`, expected one of ${known.map((k) => `\`${k}\``).join(', ')}`,
      );
  }
}
