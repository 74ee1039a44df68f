import { formatError, validationError } from '../errors.ts';
import { type JsonPath, parseJsonPath } from '../json/path.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from '../json/types.ts';
import { type PointId, parsePointId } from '../model/point-id.ts';

function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Returns an optional property. Null counts as absent, as in Qdrant. */
export function optional(object: JsonObject, key: string): JsonValue | undefined {
  return ownValue(object, key) ?? undefined;
}

/** Returns a required property. @throws QdrantError 400 */
export function required(object: JsonObject, key: string): JsonValue {
  const value = ownValue(object, key);
  if (value === undefined) throw formatError(`missing field \`${key}\``);
  return value;
}

/** Narrows a value to an object. @throws QdrantError 400 that names the field */
export function readObject(value: JsonValue, field: string): JsonObject {
  if (!isJsonObject(value)) throw formatError(`${field}: expected an object, got ${shown(value)}`);
  return value;
}

/** Narrows a value to an array. @throws QdrantError 400 that names the field */
export function readArray(value: JsonValue, field: string): readonly JsonValue[] {
  if (!isJsonArray(value)) throw formatError(`${field}: expected an array, got ${shown(value)}`);
  return value;
}

/** Narrows a value to a string. @throws QdrantError 400 that names the field */
export function readString(value: JsonValue, field: string): string {
  if (typeof value !== 'string') throw formatError(`${field}: expected a string, got ${shown(value)}`);
  return value;
}

/** Narrows a value to a number. @throws QdrantError 400 that names the field */
export function readNumber(value: JsonValue, field: string): number {
  if (typeof value !== 'number') throw formatError(`${field}: expected a number, got ${shown(value)}`);
  return value;
}

/** Narrows a value to a boolean. @throws QdrantError 400 that names the field */
export function readBoolean(value: JsonValue, field: string): boolean {
  if (typeof value !== 'boolean') throw formatError(`${field}: expected a boolean, got ${shown(value)}`);
  return value;
}

/** Reads an integer of at least `min`. @throws QdrantError 400 for another type, 422 below `min` */
export function readUnsigned(value: JsonValue, field: string, min = 0): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw formatError(`${field}: expected an unsigned integer, got ${shown(value)}`);
  if (value < min) throw validationError(field, `value ${value} invalid, must be ${min.toFixed(1)} or larger`);
  return value;
}

/** Converts a value or a list of values to a list. */
export function oneOrMany(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return isJsonArray(value) ? value : [value];
}

/** Parses a point id. @throws QdrantError 400 */
export function readPointId(value: JsonValue): PointId {
  const id = parsePointId(value);
  if (id === undefined)
    throw formatError(
      `value ${shown(value)} is not a valid point ID, valid values are either an unsigned integer or a UUID`,
    );
  return id;
}

/** Parses a list of point ids. @throws QdrantError 400 */
export function readPointIds(value: JsonValue, field: string): PointId[] {
  return readArray(value, field).map(readPointId);
}

/** Parses a payload path. @throws QdrantError 400 */
export function readPath(value: JsonValue, field: string): JsonPath {
  const text = readString(value, field);
  const path = parseJsonPath(text);
  if (!path) throw formatError(`${field}: Invalid json path: '${text}'`);
  return path;
}

/** Rejects keys that are not in `known`. @throws QdrantError 400 */
export function rejectUnknownKeys(object: JsonObject, known: readonly string[], what: string): void {
  for (const key of Object.keys(object)) {
    if (!known.includes(key))
      throw formatError(
        `${what}: unknown field \`${key}\`, expected one of ${known.map((k) => `\`${k}\``).join(', ')}`,
      );
  }
}
