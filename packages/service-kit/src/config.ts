import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { internalKeysSetting } from './grpc/internal-keys.ts';

export { ConfigError };

/** Reads the settings of a process from its environment; an empty value counts as left out. Throws `ConfigError`. */
export function parseConfig<T extends z.ZodType>(schema: T, env: NodeJS.ProcessEnv): z.output<T> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new ConfigError(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
}

/** What every service reads. Each value is an environment variable. */
export const serviceSettings = {
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Where the gRPC server listens, `host:port`; port 0 takes a free one. */
  GRPC_ADDRESS: z.string().regex(/^.+:\d+$/, 'must be host:port'),
  /**
   * The keys that sign calls between services (docs/access.md); the first key signs, all are
   * accepted.
   */
  LECTERN_INTERNAL_KEYS: internalKeysSetting,
  /** Milliseconds that requests in flight are given at shutdown. */
  SHUTDOWN_TIMEOUT_MS: z.coerce.number().int().min(0).max(300_000).default(10_000),
};

/** A setting that holds the address of a gRPC service: `host:port` or `dns:///name:port`. */
export const grpcTarget = z.string().regex(/^(dns:\/\/\/)?[^/\s]+:\d+$/, 'must be host:port or dns:///name:port');
