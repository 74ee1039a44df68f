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
  /** Documents made through the API that are indexed at once. */
  INDEX_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(4),
  /** Milliseconds between two rounds of the sweep for lost work and unfinished deletions. */
  SWEEP_INTERVAL_MS: z.coerce.number().int().min(50).default(5_000),
  /** Milliseconds between two comparisons of all rows with all vectors. */
  RECONCILE_INTERVAL_MS: z.coerce.number().int().min(1_000).default(900_000),
});

/** The settings of the collection service. */
export type Config = z.output<typeof schema>;

/** Reads the settings from the environment. Throws `ConfigError` that lists every problem. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return parseConfig(schema, env);
}
