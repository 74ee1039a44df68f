import { embeddingSettings } from '@lectern/embeddings';
import { parseConfig, serviceSettings } from '@lectern/service-kit';
import { z } from 'zod';

const schema = z.object({
  ...serviceSettings,
  GRPC_ADDRESS: serviceSettings.GRPC_ADDRESS.default('127.0.0.1:50054'),
  DATABASE_URL: z.url(),
  NATS_URL: z.string().min(1),
  /** Copies of each JetStream stream: 1 on one machine, 3 on a cluster. */
  NATS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  QDRANT_URL: z.url(),
  QDRANT_API_KEY: z.string().optional(),
  /** Begins the name of every Qdrant collection. */
  QDRANT_PREFIX: z.string().optional(),
  ...embeddingSettings,
  /** Documents made through the API that are indexed at once: what each writes is written together. */
  INDEX_CONCURRENCY: z.coerce.number().int().min(1).max(256).default(32),
  /** Milliseconds between two rounds of the sweep for lost work and unfinished deletions. */
  SWEEP_INTERVAL_MS: z.coerce.number().int().min(50).default(5_000),
  /** Milliseconds between two comparisons of all rows with all vectors. */
  RECONCILE_INTERVAL_MS: z.coerce.number().int().min(1_000).default(900_000),
  /** Passages from which on a team's corpus is learned from, for models that do so. */
  SPACE_MIN_PASSAGES: z.coerce.number().int().min(2).default(200),
  /** By how much a corpus has grown when it is learned from anew; see spaces/is-due.ts. */
  SPACE_GROWTH: z.coerce.number().min(1.1).default(2),
  /** Milliseconds between two looks at what is to be learned or moved. */
  SPACE_INTERVAL_MS: z.coerce.number().int().min(50).default(10_000),
  /** Milliseconds that a new space is known before passages move to it: longer than a search or the indexing of a batch takes. */
  SPACE_SETTLE_MS: z.coerce.number().int().min(0).default(15_000),
  /** Milliseconds after which the work of a process that was killed is taken over by another. */
  SPACE_LEASE_MS: z.coerce.number().int().min(100).default(30_000),
  /** Bytes of learned spaces kept in memory. */
  SPACE_CACHE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(128 * 1024 * 1024),
});

/** The settings of the collection service. */
export type Config = z.output<typeof schema>;

/** Reads the settings from the environment. Throws `ConfigError` that lists every problem. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return parseConfig(schema, env);
}
