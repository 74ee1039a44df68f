import type { Config } from '#config';
import type { BucketStore } from '#limits/bucket-store';
import { createPostgresStore } from '#limits/postgres-store';
import { createRedisStore } from '#limits/redis-store';

/** A store that has not answered by then counts as away. */
const TIMEOUT_MS = 1_000;

/** Where the limits are shared by the settings: a Redis-compatible server, else PostgreSQL. Lazy. */
export function createBucketStore({ REDIS_URL, DATABASE_URL }: Config, schema: string): BucketStore {
  if (REDIS_URL !== undefined) return createRedisStore({ url: REDIS_URL, timeoutMs: TIMEOUT_MS });
  return createPostgresStore({ url: DATABASE_URL, schema, timeoutMs: TIMEOUT_MS });
}
