import { isJsonObject, type JsonObject, type JsonValue, ownValue } from '../json/types.ts';
import { DEFAULT_VECTOR } from '../model/vectors.ts';
import type { Collection } from './collection.ts';

// Qdrant's defaults. They tune its graph and storage, and have no effect on exact search.
const hnswDefaults = { m: 16, ef_construct: 100, full_scan_threshold: 10000, max_indexing_threads: 0, on_disk: false };
const optimizerDefaults = {
  deleted_threshold: 0.2,
  vacuum_min_vector_number: 1000,
  default_segment_number: 0,
  max_segment_size: null,
  memmap_threshold: null,
  indexing_threshold: 10000,
  flush_interval_sec: 5,
  max_optimization_threads: null,
};
const walDefaults = { wal_capacity_mb: 32, wal_segments_ahead: 0, wal_retain_closed: 1 };

function over(defaults: JsonObject, overrides: JsonValue | undefined): JsonObject {
  return isJsonObject(overrides) ? { ...defaults, ...overrides } : defaults;
}

function vectorParams({ config }: Collection): JsonObject {
  if (config.unnamed) return config.dense[DEFAULT_VECTOR]?.params ?? {};
  return Object.fromEntries(Object.entries(config.dense).map(([name, { params }]) => [name, params]));
}

function payloadSchema(collection: Collection): JsonObject {
  const fields = [...collection.store.indexes()].map(([path, index]) => {
    const { type, params } = index.schema;
    return [path, { data_type: type, ...(params && { params }), points: index.indexed.count() }] as const;
  });
  return Object.fromEntries(fields);
}

/** Returns a collection's state and settings in Qdrant's format. */
export function describeCollection(collection: Collection): JsonObject {
  const { config, store } = collection;
  const { tuning } = config;
  const sparse = Object.entries(config.sparse).map(([name, { params }]) => [name, params] as const);
  return {
    status: 'green',
    optimizer_status: 'ok',
    indexed_vectors_count: store.vectorCount(),
    points_count: store.ids.size,
    segments_count: 1,
    config: {
      params: {
        vectors: vectorParams(collection),
        shard_number: ownValue(tuning, 'shard_number') ?? 1,
        replication_factor: ownValue(tuning, 'replication_factor') ?? 1,
        write_consistency_factor: ownValue(tuning, 'write_consistency_factor') ?? 1,
        on_disk_payload: ownValue(tuning, 'on_disk_payload') ?? true,
        ...(sparse.length > 0 && { sparse_vectors: Object.fromEntries(sparse) }),
      },
      hnsw_config: over(hnswDefaults, ownValue(tuning, 'hnsw_config')),
      optimizer_config: over(optimizerDefaults, ownValue(tuning, 'optimizers_config')),
      wal_config: over(walDefaults, ownValue(tuning, 'wal_config')),
      quantization_config: ownValue(tuning, 'quantization_config') ?? null,
      ...(config.metadata && { metadata: config.metadata }),
    },
    payload_schema: payloadSchema(collection),
    update_queue: { length: 0 },
  };
}
