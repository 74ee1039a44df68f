import { formatError, notSupported, validationError } from '../errors.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from '../json/types.ts';
import { DEFAULT_VECTOR, type SparseVector, type Vector } from '../model/vectors.ts';
import { readArray, required } from './reader.ts';

const maxDimension = 0xffffffff;

/** Parses a list of numbers as 32-bit floats. @throws QdrantError 400, or 422 for an empty list */
function readDense(value: JsonValue, field: string): Float32Array {
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

function sortedByIndex({ indices, values }: SparseVector): SparseVector {
  const order = Array.from(indices, (_, i) => i).sort((a, b) => (indices[a] ?? 0) - (indices[b] ?? 0));
  return {
    indices: Uint32Array.from(order, (i) => indices[i] ?? 0),
    values: Float32Array.from(order, (i) => values[i] ?? 0),
  };
}

/**
 * Parses a sparse vector and sorts it by index.
 *
 * @throws QdrantError 400, or 422 for different lengths or a repeated index
 */
function readSparse(object: JsonObject, field: string): SparseVector {
  const indexList = readArray(required(object, 'indices'), `${field}.indices`);
  const valueList = readArray(required(object, 'values'), `${field}.values`);
  if (indexList.length !== valueList.length)
    throw validationError(`${field}.values`, 'must be the same length as indices');
  const indices = new Uint32Array(indexList.length);
  const values = new Float32Array(indexList.length);
  let ascending = true;
  for (let i = 0; i < indexList.length; i++) {
    const index = indexList[i];
    const value = valueList[i];
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index > maxDimension)
      throw formatError(`${field}.indices[${i}]: expected an unsigned 32-bit integer`);
    if (typeof value !== 'number') throw formatError(`${field}.values[${i}]: expected a number`);
    indices[i] = index;
    values[i] = value;
    if (i > 0 && index <= (indices[i - 1] ?? 0)) ascending = false;
  }
  if (ascending) return { indices, values };
  const sorted = sortedByIndex({ indices, values });
  if (sorted.indices.some((index, i) => i > 0 && index === sorted.indices[i - 1]))
    throw validationError(`${field}.indices`, 'must be unique');
  return sorted;
}

/** Parses a vector: a list of numbers, or `{indices, values}`. @throws QdrantError 400 or 422 */
export function readVector(value: JsonValue, field: string): Vector {
  if (isJsonArray(value)) return { kind: 'dense', values: readDense(value, field) };
  if (isJsonObject(value)) {
    if (Object.hasOwn(value, 'indices')) return { kind: 'sparse', sparse: readSparse(value, field) };
    for (const key of ['text', 'image', 'object'])
      if (Object.hasOwn(value, key)) throw notSupported('Inference (a document, image or object in place of a vector)');
  }
  throw formatError(`${field}: expected a list of numbers or \`{indices, values}\``);
}

/**
 * Parses a point's vectors: an unnamed list, or an object of named ones.
 *
 * @throws QdrantError 400 or 422
 */
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
