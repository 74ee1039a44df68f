import { embeddingSettings } from '@lectern/embeddings';
import { parseConfig, serviceSettings } from '@lectern/service-kit';
import { checkCollectionSettings, collectionSettings } from '@lectern/vector-store';
import { z } from 'zod';

const schema = z
  .object({
    ...serviceSettings,
    GRPC_ADDRESS: serviceSettings.GRPC_ADDRESS.default('127.0.0.1:50054'),
    DATABASE_URL: z.url(),
    NATS_URL: z.string().min(1),
    /** Replicas of each JetStream stream: 1 on one machine, 3 on a cluster. */
    NATS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
    QDRANT_URL: z.url(),
    QDRANT_API_KEY: z.string().optional(),
    /** Prefix of every Qdrant collection. */
    QDRANT_PREFIX: z.string().optional(),
    ...collectionSettings,
    ...embeddingSettings,
    /** The hub that models are downloaded from; default huggingface.co. */
    MODELS_HUB_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).optional(),
    /** API documents to index at the same time; their writes are batched. */
    INDEX_CONCURRENCY: z.coerce.number().int().min(1).max(256).default(32),
    /** Milliseconds between two sweeps for lost work and unfinished deletions. */
    SWEEP_INTERVAL_MS: z.coerce.number().int().min(50).default(5_000),
    /** Milliseconds between two comparisons of all rows with all vectors. */
    RECONCILE_INTERVAL_MS: z.coerce.number().int().min(1_000).default(900_000),
    /** Passages that a team needs before a space is learned, for models that learn spaces. */
    SPACE_MIN_PASSAGES: z.coerce.number().int().min(2).default(50),
    /**
     * The share of changed passages, plus 1, after which a space is learned again; see
     * spaces/is-due.ts.
     */
    SPACE_GROWTH: z.coerce.number().min(1.1).default(1.25),
    /** Milliseconds between two checks for spaces to learn and passages to move. */
    SPACE_INTERVAL_MS: z.coerce.number().int().min(50).default(10_000),
    /**
     * Milliseconds between a new space and the move of passages to it: longer than a search or the
     * indexing of a batch takes.
     */
    SPACE_SETTLE_MS: z.coerce.number().int().min(0).default(15_000),
    /**
     * Passages per second that move to a new space, so that the vector store optimizes little at a time
     * and searches stay fast.
     */
    SPACE_MOVE_PER_SECOND: z.coerce.number().int().min(1).max(1_000_000).default(500),
    /** Milliseconds after which another process takes over the work of a killed process. */
    SPACE_LEASE_MS: z.coerce.number().int().min(100).default(30_000),
    /** Bytes of learned spaces to keep in memory. */
    SPACE_CACHE_BYTES: z.coerce
      .number()
      .int()
      .min(0)
      .default(128 * 1024 * 1024),
  })
  .superRefine(checkCollectionSettings);

/** The settings of the collection service. */
export type Config = z.output<typeof schema>;

/** Reads the settings from the environment. Throws `ConfigError` that lists every problem. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return parseConfig(schema, env);
}
