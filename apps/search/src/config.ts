import { embeddingSettings } from '@lectern/embeddings';
import { grpcTarget, parseConfig, serviceSettings } from '@lectern/service-kit';
import { z } from 'zod';
import { rerankSettings } from '#rerank/rerank-settings';

const settings = z.object({
  ...serviceSettings,
  GRPC_ADDRESS: serviceSettings.GRPC_ADDRESS.default('127.0.0.1:50051'),
  COLLECTION_ADDRESS: grpcTarget.default('127.0.0.1:50054'),
  QDRANT_URL: z.url().default('http://127.0.0.1:6333'),
  QDRANT_API_KEY: z.string().optional(),
  /** Prefix of every Qdrant collection. */
  QDRANT_PREFIX: z.string().optional(),
  /** Deadline of one request to the vector store, in milliseconds. */
  QDRANT_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
  /** Bytes of learned spaces to keep in memory: a few megabytes per team that searches. */
  SPACE_CACHE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(256 * 1024 * 1024),
  ...embeddingSettings,
  ...rerankSettings,
});

export type Config = z.output<typeof settings>;

/** Reads the settings of the search service. Throws `ConfigError`. */
export const readConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(settings, env);
