import type { Schemas } from '@qdrant/js-client-rest';
import { z } from 'zod';
import { SPARSE_VECTOR, VECTORS } from '#layout/collection-layout';

/** A whole number. The message names the bounds, because the parser adds only the setting's name. */
const count = (max: number, what: string) => {
  const message = `must be a whole number from 1 to ${max}: ${what}. Correct it, or leave it empty for Qdrant's default.`;
  return z.coerce.number(message).int(message).min(1, message).max(max, message).optional();
};

/** The settings of Qdrant collections, as environment variables of the services that create them. */
export const collectionSettings = {
  /** Parts of each collection, which the nodes share. Cannot change after creation. */
  QDRANT_SHARD_NUMBER: count(256, 'the parts of each collection, one or two per node'),
  /** Copies of each part, on different nodes. */
  QDRANT_REPLICATION_FACTOR: count(16, 'the copies of each part, 2 or more so that a node can fail'),
  /** Copies that confirm a write before it counts as done. */
  QDRANT_WRITE_CONSISTENCY_FACTOR: count(16, 'the copies that confirm a write'),
  /**
   * `auto` stores dense vectors of 512 dimensions or more also as one byte per value, in memory, and
   * computes the scores of the best ones from the original vectors.
   */
  QDRANT_QUANTIZATION: z
    .enum(
      ['auto', 'off'],
      'must be auto (int8 for 512 dimensions or more) or off. Correct it, or leave it empty for auto.',
    )
    .default('auto'),
  /** Reads the original vectors and the index of words from disk instead of memory. */
  QDRANT_VECTORS_ON_DISK: z
    .stringbool({ error: 'must be true or false. Correct it, or leave it empty for false.' })
    .default(false),
  /** Builds a separate graph for each team instead of one over all teams. */
  QDRANT_HNSW_PER_TENANT: z
    .stringbool({ error: 'must be true or false. Correct it, or leave it empty for false.' })
    .default(false),
  /** Jobs that optimize a shard at the same time, while searches continue. */
  QDRANT_MAX_OPTIMIZATION_THREADS: count(64, 'the jobs that optimize a shard at the same time'),
};

const settingsSchema = z.object(collectionSettings);

export type CollectionSettings = z.output<typeof settingsSchema>;

/** The settings of an empty environment. */
export const DEFAULT_COLLECTION_SETTINGS: CollectionSettings = settingsSchema.parse({});

/** Reports settings that contradict each other. For `superRefine` of a service's settings. */
export function checkCollectionSettings(settings: CollectionSettings, context: z.core.$RefinementCtx): void {
  const { QDRANT_WRITE_CONSISTENCY_FACTOR: confirming = 1, QDRANT_REPLICATION_FACTOR: copies = 1 } = settings;
  if (confirming <= copies) return;
  context.addIssue({
    code: 'custom',
    path: ['QDRANT_WRITE_CONSISTENCY_FACTOR'],
    message: `requires ${confirming} copies to confirm each write, but QDRANT_REPLICATION_FACTOR makes ${copies}, so every write would fail. Set it to ${copies} or less, or make more copies.`,
  });
}

/** Shorter vectors gain little memory from quantization, and lose more precision. */
const MIN_QUANTIZED_DIMENSIONS = 512;

const GRAPH_LINKS = 16;

/** Jobs per shard unless set: searches keep the other cores. */
const OPTIMIZATION_THREADS = 1;

/** The query parameters for dense vectors: scores come from the original vectors. */
export function denseParams(dimensions: number): { params?: Schemas['SearchParams'] } {
  if (dimensions < MIN_QUANTIZED_DIMENSIONS) return {};
  return { params: { quantization: { rescore: true, oversampling: 2 } } };
}

const INT8: Schemas['ScalarQuantization'] = { scalar: { type: 'int8', quantile: 0.99, always_ram: true } };

const isQuantized = (settings: CollectionSettings, dimensions: number): boolean =>
  settings.QDRANT_QUANTIZATION === 'auto' && dimensions >= MIN_QUANTIZED_DIMENSIONS;

const optimizers = (settings: CollectionSettings) => ({
  max_optimization_threads: settings.QDRANT_MAX_OPTIMIZATION_THREADS ?? OPTIMIZATION_THREADS,
});

function copies(settings: CollectionSettings) {
  const { QDRANT_REPLICATION_FACTOR: replication, QDRANT_WRITE_CONSISTENCY_FACTOR: consistency } = settings;
  return {
    ...(replication !== undefined && { replication_factor: replication }),
    ...(consistency !== undefined && { write_consistency_factor: consistency }),
  };
}

const sparseVectors = (settings: CollectionSettings, names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => [name, { ...SPARSE_VECTOR, index: { on_disk: settings.QDRANT_VECTORS_ON_DISK } }]),
  );

/**
 * Returns the request that creates a collection. Qdrant multiplies sparse weights by the inverse
 * document frequency, the second factor of BM25; each search defines the passages that it is
 * computed over.
 */
export function newCollection(dimensions: number, settings: CollectionSettings): Schemas['CreateCollection'] {
  const { QDRANT_SHARD_NUMBER: shards, QDRANT_VECTORS_ON_DISK: on_disk, QDRANT_HNSW_PER_TENANT: perTenant } = settings;
  const dense: Schemas['VectorParams'] = {
    size: dimensions,
    distance: 'Cosine',
    on_disk,
    ...(isQuantized(settings, dimensions) && { quantization_config: INT8 }),
  };
  return {
    vectors: { [VECTORS.dense]: dense },
    sparse_vectors: sparseVectors(settings, [VECTORS.sparse, VECTORS.document]),
    ...(shards !== undefined && { shard_number: shards }),
    ...copies(settings),
    ...(perTenant && { hnsw_config: { m: 0, payload_m: GRAPH_LINKS } }),
    optimizers_config: optimizers(settings),
  };
}

export interface StoredVectors {
  readonly dimensions: number;
  /** The names of the sparse vectors that the collection has. */
  readonly sparse: readonly string[];
  /** Links per point of the graph over all teams and of those of single teams. 0 for no graph. */
  readonly graph: { readonly m: number; readonly payload_m?: number | null | undefined };
}

/** Keeps a graph of the wanted kind: Qdrant would build it again, without the links an operator has set. */
function graphChange({ graph }: StoredVectors, { QDRANT_HNSW_PER_TENANT: perTenant }: CollectionSettings) {
  if (perTenant ? graph.m === 0 && graph.payload_m : graph.m > 0) return {};
  return { hnsw_config: { m: perTenant ? 0 : GRAPH_LINKS, payload_m: GRAPH_LINKS } };
}

/** Returns the request that gives an existing collection the settings that can change. */
export function changedCollection(stored: StoredVectors, settings: CollectionSettings): Schemas['UpdateCollection'] {
  const quantization_config = isQuantized(settings, stored.dimensions) ? INT8 : ('Disabled' as const);
  const params = copies(settings);
  return {
    vectors: { [VECTORS.dense]: { on_disk: settings.QDRANT_VECTORS_ON_DISK, quantization_config } },
    sparse_vectors: sparseVectors(settings, stored.sparse),
    ...(Object.keys(params).length > 0 && { params }),
    ...graphChange(stored, settings),
    optimizers_config: optimizers(settings),
  };
}
