import { badRequest, formatError, validationError } from '../errors.ts';
import type { Filter } from '../filter/types.ts';
import type { JsonPath } from '../json/path.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from '../json/types.ts';
import type { PointId } from '../model/point-id.ts';
import { DEFAULT_VECTOR, type Vector } from '../model/vectors.ts';
import { optionalFilter } from './filter.ts';
import {
  optional,
  readArray,
  readObject,
  readPath,
  readPointId,
  readPointIds,
  readString,
  required,
} from './reader.ts';
import { readVector, readVectors } from './vectors.ts';

/** A point of a request. */
export interface InputPoint {
  readonly id: PointId;
  readonly vectors: ReadonlyMap<string, Vector>;
  readonly payload: JsonObject;
}

/** The points of an operation: by id or by filter. */
export type PointsSelector =
  | { readonly kind: 'ids'; readonly ids: readonly PointId[] }
  | { readonly kind: 'filter'; readonly filter: Filter };

/** A change of points. */
export type PointsOperation =
  | {
      readonly kind: 'upsert';
      readonly points: readonly InputPoint[];
      readonly mode: 'upsert' | 'insert_only' | 'update_only';
      /** Existing points that do not match stay unchanged. */
      readonly updateFilter: Filter | undefined;
    }
  | { readonly kind: 'delete' | 'clearPayload'; readonly selector: PointsSelector }
  | {
      readonly kind: 'setPayload' | 'overwritePayload';
      readonly selector: PointsSelector;
      readonly payload: JsonObject;
      readonly path: JsonPath | undefined;
    }
  | { readonly kind: 'deletePayload'; readonly selector: PointsSelector; readonly paths: readonly JsonPath[] }
  | {
      readonly kind: 'updateVectors';
      readonly points: readonly { readonly id: PointId; readonly vectors: ReadonlyMap<string, Vector> }[];
      readonly updateFilter: Filter | undefined;
    }
  | { readonly kind: 'deleteVectors'; readonly selector: PointsSelector; readonly names: readonly string[] };

function readPayload(value: JsonValue | undefined): JsonObject {
  return value === undefined || value === null ? {} : readObject(value, 'payload');
}

function readListedPoint(value: JsonValue, i: number): InputPoint {
  const object = readObject(value, `points[${i}]`);
  return {
    id: readPointId(required(object, 'id')),
    vectors: readVectors(required(object, 'vector'), `points[${i}].vector`),
    payload: readPayload(ownValue(object, 'payload')),
  };
}

function batchColumns(value: JsonValue, count: number): Map<string, readonly JsonValue[]> {
  const columns = isJsonObject(value)
    ? new Map(Object.entries(value).map(([name, column]) => [name, readArray(column, `batch.vectors.${name}`)]))
    : new Map([[DEFAULT_VECTOR, readArray(value, 'batch.vectors')]]);
  for (const [name, column] of columns)
    if (column.length !== count)
      throw validationError(
        'batch',
        `number of ids and vectors must be equal: ${count} ids, ${column.length} vectors${name && ` of ${name}`}`,
      );
  return columns;
}

function readBatch(value: JsonValue): InputPoint[] {
  const batch = readObject(value, 'batch');
  const ids = readPointIds(required(batch, 'ids'), 'batch.ids');
  const columns = batchColumns(required(batch, 'vectors'), ids.length);
  const payloads = optional(batch, 'payloads');
  const payloadList = payloads === undefined ? [] : readArray(payloads, 'batch.payloads');
  if (payloads !== undefined && payloadList.length !== ids.length)
    throw validationError(
      'batch',
      `number of ids and payloads must be equal: ${ids.length} ids, ${payloadList.length} payloads`,
    );
  return ids.map((id, i) => {
    const vectors = new Map<string, Vector>();
    for (const [name, column] of columns) {
      const vector = column[i];
      if (vector !== undefined && vector !== null) vectors.set(name, readVector(vector, `batch.vectors.${name}[${i}]`));
    }
    return { id, vectors, payload: readPayload(payloadList[i]) };
  });
}

/** Parses an upsert, a list of points or a batch of columns. @throws QdrantError 400 or 422 */
export function readUpsert(body: JsonObject): PointsOperation {
  const mode = optional(body, 'update_mode') ?? 'upsert';
  if (mode !== 'upsert' && mode !== 'insert_only' && mode !== 'update_only')
    throw formatError('update_mode: expected `upsert`, `insert_only` or `update_only`');
  const batch = optional(body, 'batch');
  const points =
    batch === undefined ? readArray(required(body, 'points'), 'points').map(readListedPoint) : readBatch(batch);
  return { kind: 'upsert', points, mode, updateFilter: optionalFilter(body, 'update_filter') };
}

/**
 * Parses `{points}`, `{filter}` or, for compatibility, a list of ids.
 *
 * @throws QdrantError 400 or 422
 */
export function readSelector(value: JsonValue): PointsSelector {
  if (isJsonArray(value)) return { kind: 'ids', ids: value.map(readPointId) };
  const object = readObject(value, 'body');
  const ids = optional(object, 'points');
  if (ids !== undefined) return { kind: 'ids', ids: readPointIds(ids, 'points') };
  const filter = optionalFilter(object);
  if (!filter) throw badRequest('either `points` or `filter` must be given');
  return { kind: 'filter', filter };
}

/** Parses a request to set or overwrite payload. @throws QdrantError 400 or 422 */
export function readSetPayload(kind: 'setPayload' | 'overwritePayload', body: JsonObject): PointsOperation {
  const key = optional(body, 'key');
  return {
    kind,
    selector: readSelector(body),
    payload: readObject(required(body, 'payload'), 'payload'),
    path: key === undefined || key === '' ? undefined : readPath(key, 'key'),
  };
}

/** Parses a request to delete payload keys. @throws QdrantError 400 or 422 */
export function readDeletePayload(body: JsonObject): PointsOperation {
  const keys = readArray(required(body, 'keys'), 'keys');
  return { kind: 'deletePayload', selector: readSelector(body), paths: keys.map((key) => readPath(key, 'keys')) };
}

/** Parses a request to update vectors of points. @throws QdrantError 400 or 422 */
export function readUpdateVectors(body: JsonObject): PointsOperation {
  const points = readArray(required(body, 'points'), 'points').map((value, i) => {
    const object = readObject(value, `points[${i}]`);
    return {
      id: readPointId(required(object, 'id')),
      vectors: readVectors(required(object, 'vector'), `points[${i}].vector`),
    };
  });
  return { kind: 'updateVectors', points, updateFilter: optionalFilter(body, 'update_filter') };
}

/** Parses a request to delete vectors of points. @throws QdrantError 400 or 422 */
export function readDeleteVectors(body: JsonObject): PointsOperation {
  const names = readArray(required(body, 'vector'), 'vector').map((name) => readString(name, 'vector'));
  if (names.length === 0) throw validationError('vector', 'must be at least 1 characters');
  return { kind: 'deleteVectors', selector: readSelector(body), names };
}

const batchReaders: Readonly<Record<string, (body: JsonObject) => PointsOperation>> = {
  upsert: readUpsert,
  delete: (body) => ({ kind: 'delete', selector: readSelector(body) }),
  set_payload: (body) => readSetPayload('setPayload', body),
  overwrite_payload: (body) => readSetPayload('overwritePayload', body),
  delete_payload: readDeletePayload,
  clear_payload: (body) => ({ kind: 'clearPayload', selector: readSelector(body) }),
  update_vectors: readUpdateVectors,
  delete_vectors: readDeleteVectors,
};

/** Parses the operations of a batch update, in order. @throws QdrantError 400 or 422 */
export function readOperations(body: JsonObject): PointsOperation[] {
  return readArray(required(body, 'operations'), 'operations').map((value, i) => {
    const object = readObject(value, `operations[${i}]`);
    const name = Object.keys(object).find((key) => Object.hasOwn(batchReaders, key));
    const read = name === undefined ? undefined : batchReaders[name];
    if (name === undefined || !read)
      throw formatError(`operations[${i}]: expected one of ${Object.keys(batchReaders).join(', ')}`);
    return read(readObject(required(object, name), `operations[${i}].${name}`));
  });
}
