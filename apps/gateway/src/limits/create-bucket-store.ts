import type { Config } from '#config';
import type { BucketStore } from '#limits/bucket-store';
import { createPostgresStore } from '#limits/postgres-store';
import { createRedisStore } from '#limits/redis-store';

/** Deadline of a call to the store. */
const TIMEOUT_MS = 1_000;

/** Creates the store from the settings: Redis if configured, otherwise PostgreSQL. Lazy. */
export function createBucketStore({ REDIS_URL, DATABASE_URL }: Config, schema: string): BucketStore {
  if (REDIS_URL !== undefined) return createRedisStore({ url: REDIS_URL, timeoutMs: TIMEOUT_MS });
  return createPostgresStore({ url: DATABASE_URL, schema, timeoutMs: TIMEOUT_MS });
}
