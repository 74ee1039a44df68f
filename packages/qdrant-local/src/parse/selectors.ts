import { formatError } from '../errors.ts';
import type { PayloadSelector } from '../json/payload-selector.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../json/types.ts';
import { optional, readArray, readObject, readPath, readString } from './reader.ts';

/** The vectors to include in a response: all, none, or by name. */
export type VectorSelector = boolean | readonly string[];

/** The parts of each point in a response, in addition to its id. */
export interface Projection {
  readonly payload: PayloadSelector;
  readonly vectors: VectorSelector;
}

function paths(value: JsonValue, field: string) {
  return readArray(value, field).map((path) => readPath(path, field));
}

function readPayloadSelector(value: JsonValue): PayloadSelector {
  if (typeof value === 'boolean') return { kind: value ? 'all' : 'none' };
  if (isJsonArray(value)) return { kind: 'include', paths: paths(value, 'with_payload') };
  const object = readObject(value, 'with_payload');
  if (Object.hasOwn(object, 'include'))
    return { kind: 'include', paths: paths(object.include ?? null, 'with_payload.include') };
  if (Object.hasOwn(object, 'exclude'))
    return { kind: 'exclude', paths: paths(object.exclude ?? null, 'with_payload.exclude') };
  throw formatError('with_payload: expected a boolean, a list of keys, `{include}` or `{exclude}`');
}

function readVectorSelector(value: JsonValue): VectorSelector {
  if (typeof value === 'boolean') return value;
  return readArray(value, 'with_vector').map((name) => readString(name, 'with_vector'));
}

/** Parses `with_payload` and `with_vector` (or `with_vectors`). @throws QdrantError 400 */
export function readProjection(object: JsonObject, payloadByDefault: boolean): Projection {
  const payload = optional(object, 'with_payload');
  const vectors = optional(object, 'with_vector') ?? optional(object, 'with_vectors');
  return {
    payload: payload === undefined ? { kind: payloadByDefault ? 'all' : 'none' } : readPayloadSelector(payload),
    vectors: vectors === undefined ? false : readVectorSelector(vectors),
  };
}
