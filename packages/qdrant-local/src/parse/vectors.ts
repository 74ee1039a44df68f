import { formatError, notSupported, validationError } from '../errors.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from '../json/types.ts';
import { DEFAULT_VECTOR, type SparseVector, type Vector } from '../model/vectors.ts';
import { readArray, required } from './reader.ts';

const maxDimension = 0xffffffff;

/** A list of numbers as 32-bit floats. @throws QdrantError 400 for anything else, 422 for an empty list */
export function readDense(value: JsonValue, field: string): Float32Array {
  const list = readArray(value, field);
  if (isJsonArray(list[0])) throw notSupported('A multivector');
  const values = new Float32Array(list.length);
  for (let i = 0; i < list.length; i++) {
    const member = list[i];
    if (typeof member !== 'number') throw formatError(`${field}[${i}]: expected a number`);
    values[i] = member;
  }
  return values;
}

/** A sparse vector, sorted by index. @throws QdrantError 400, or 422 for lengths that differ or an index twice */
export function readSparse(object: JsonObject, field: string): SparseVector {
  const indexList = readArray(required(object, 'indices'), `${field}.indices`);
  const valueList = readArray(required(object, 'values'), `${field}.values`);
  if (indexList.length !== valueList.length)
    throw validationError(`${field}.values`, 'must be the same length as indices');
  const order = indexList.map((_, i) => i);
  const raw = indexList.map((index, i) => {
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index > maxDimension)
      throw formatError(`${field}.indices[${i}]: expected an unsigned 32-bit integer`);
    return index;
  });
  order.sort((a, b) => (raw[a] ?? 0) - (raw[b] ?? 0));
  const indices = new Uint32Array(order.length);
  const values = new Float32Array(order.length);
  order.forEach((from, to) => {
    const value = valueList[from];
    if (typeof value !== 'number') throw formatError(`${field}.values[${from}]: expected a number`);
    indices[to] = raw[from] ?? 0;
    values[to] = value;
    if (to > 0 && indices[to] === indices[to - 1]) throw validationError(`${field}.indices`, 'must be unique');
  });
  return { indices, values };
}

/** One vector: a list of numbers, or `{indices, values}`. @throws QdrantError 400 or 422 */
export function readVector(value: JsonValue, field: string): Vector {
  if (isJsonArray(value)) return { kind: 'dense', values: readDense(value, field) };
  if (isJsonObject(value)) {
    if (Object.hasOwn(value, 'indices')) return { kind: 'sparse', sparse: readSparse(value, field) };
    for (const key of ['text', 'image', 'object'])
      if (Object.hasOwn(value, key)) throw notSupported('Inference (a document, image or object in place of a vector)');
  }
  throw formatError(`${field}: expected a list of numbers or \`{indices, values}\``);
}

/** A point's vectors: one unnamed list, or an object of named ones. @throws QdrantError 400 or 422 */
export function readVectors(value: JsonValue, field: string): Map<string, Vector> {
  if (isJsonArray(value)) return new Map([[DEFAULT_VECTOR, readVector(value, field)]]);
  if (!isJsonObject(value)) throw formatError(`${field}: expected a vector or an object of named vectors`);
  const vectors = new Map<string, Vector>();
  for (const name of Object.keys(value)) {
    const vector = ownValue(value, name);
    if (vector !== undefined && vector !== null) vectors.set(name, readVector(vector, `${field}.${name}`));
  }
  return vectors;
}
