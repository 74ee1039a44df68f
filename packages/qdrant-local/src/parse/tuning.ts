import { formatError, validationError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonObjectDraft, type JsonValue, setOwnValue } from '../json/types.ts';
import { optional, readBoolean, readNumber, readObject, readString, readUnsigned } from './reader.ts';

type Check = (value: JsonValue, field: string) => void;

const unsigned =
  (min = 0): Check =>
  (value, field) =>
    void readUnsigned(value, field, min);

const oneOf =
  (names: readonly string[]): Check =>
  (value, field) => {
    if (!names.includes(readString(value, field)))
      throw formatError(`${field}: expected one of ${names.map((name) => `\`${name}\``).join(', ')}`);
  };

/** Checks the listed fields. Qdrant ignores others, and null is like absent. */
const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, field) => {
    const object = readObject(value, field);
    for (const [key, check] of Object.entries(checks)) {
      const inner = optional(object, key);
      if (inner !== undefined) check(inner, `${field}.${key}`);
    }
  };

const hnsw = fields({
  m: unsigned(),
  ef_construct: unsigned(4),
  full_scan_threshold: unsigned(),
  max_indexing_threads: unsigned(),
  on_disk: readBoolean,
  payload_m: unsigned(),
});

const optimizationThreads: Check = (value, field) => {
  if (value !== 'auto') readUnsigned(value, field);
};

const optimizers = fields({
  deleted_threshold: readNumber,
  vacuum_min_vector_number: unsigned(),
  default_segment_number: unsigned(),
  max_segment_size: unsigned(),
  memmap_threshold: unsigned(),
  indexing_threshold: unsigned(),
  flush_interval_sec: unsigned(),
  max_optimization_threads: optimizationThreads,
});

const quantile: Check = (value, field) => {
  const share = readNumber(value, field);
  if (share < 0.5 || share > 1) throw validationError(field, `value ${share} invalid, must be from 0.5 to 1.0`);
};

const QUANTIZATIONS: Readonly<Record<string, Check>> = {
  scalar: fields({ type: oneOf(['int8']), quantile, always_ram: readBoolean }),
  product: fields({ compression: oneOf(['x4', 'x8', 'x16', 'x32', 'x64']), always_ram: readBoolean }),
  binary: fields({ always_ram: readBoolean }),
};

const quantization: Check = (value, field) => {
  const [[kind, inner] = ['', undefined], ...others] = isJsonObject(value) ? Object.entries(value) : [];
  const check = others.length === 0 && Object.hasOwn(QUANTIZATIONS, kind) ? QUANTIZATIONS[kind] : undefined;
  if (check === undefined || inner === undefined)
    throw formatError(`${field}: data did not match any variant of untagged enum QuantizationConfig`);
  check(inner, `${field}.${kind}`);
};

const changedQuantization: Check = (value, field) => {
  if (value !== 'Disabled') quantization(value, field);
};

const COPIES = { replication_factor: unsigned(1), write_consistency_factor: unsigned(1), on_disk_payload: readBoolean };

/** Settings of a new collection that have no effect on exact search. */
const NEW_COLLECTION: Readonly<Record<string, Check>> = {
  shard_number: unsigned(1),
  sharding_method: oneOf(['auto', 'custom']),
  ...COPIES,
  hnsw_config: hnsw,
  wal_config: fields({ wal_capacity_mb: unsigned(1), wal_segments_ahead: unsigned(), wal_retain_closed: unsigned(1) }),
  optimizers_config: optimizers,
  quantization_config: quantization,
  strict_mode_config: fields({}),
};

const DENSE_VECTOR = { hnsw_config: hnsw, on_disk: readBoolean };

const checkDense = fields({ ...DENSE_VECTOR, quantization_config: quantization });
const checkDenseChange = fields({ ...DENSE_VECTOR, quantization_config: changedQuantization });
const checkSparse = fields({
  index: fields({
    full_scan_threshold: unsigned(),
    on_disk: readBoolean,
    datatype: oneOf(['float32', 'float16', 'uint8']),
  }),
});

export { checkDense as checkDenseTuning, checkSparse as checkSparseTuning };

/** Reads the tuning of a new collection. @throws QdrantError 400 or 422 as Qdrant does */
export function readTuning(body: JsonObject): JsonObject {
  const tuning: JsonObjectDraft = {};
  for (const [key, check] of Object.entries(NEW_COLLECTION)) {
    const value = optional(body, key);
    if (value === undefined) continue;
    check(value, key);
    setOwnValue(tuning, key, value);
  }
  return tuning;
}

/** Returns an object with changes; objects in it are merged one level deep. */
const merged = (before: JsonObject, changes: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries({ ...before, ...changes }).map(([key, value]) => {
      const old = Object.hasOwn(before, key) ? before[key] : undefined;
      const isDiff = key !== 'quantization_config' && isJsonObject(old) && isJsonObject(value);
      return [key, isDiff ? { ...old, ...value } : value === 'Disabled' ? null : value];
    }),
  );

const given = (object: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(
    keys.flatMap((key) => {
      const value = optional(object, key);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );

const CHANGES = { hnsw_config: hnsw, optimizers_config: optimizers, quantization_config: changedQuantization };

/** Returns the tuning after an update request. @throws QdrantError 400 or 422 */
export function changedTuning(before: JsonObject, body: JsonObject): JsonObject {
  fields(CHANGES)(body, 'update');
  const params = readObject(optional(body, 'params') ?? {}, 'params');
  fields(COPIES)(params, 'params');
  return merged(before, {
    ...given(body, [...Object.keys(CHANGES), 'strict_mode_config']),
    ...given(params, Object.keys(COPIES)),
  });
}

/** Returns the parameters of a dense vector after an update request. @throws QdrantError 400 or 422 */
export function changedDenseParams(before: JsonObject, change: JsonValue, field: string): JsonObject {
  checkDenseChange(change, field);
  return merged(before, given(readObject(change, field), ['hnsw_config', 'on_disk', 'quantization_config']));
}
