import { z } from 'zod';
import { ConfigError } from '#config-error';
import { internalKeysSetting } from '#grpc/internal-keys';

export { ConfigError };

/**
 * Parses settings from environment variables. An empty value counts as missing. Throws
 * `ConfigError`.
 */
export function parseConfig<T extends z.ZodType>(schema: T, env: NodeJS.ProcessEnv): z.output<T> {
  const values = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  throw new ConfigError(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
}

/** The environment variables of every service. */
export const serviceSettings = {
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** The address of the gRPC server, `host:port`. Port 0 selects a free port. */
  GRPC_ADDRESS: z.string().regex(/^.+:\d+$/, 'must be host:port'),
  /**
   * The keys that sign calls between services (docs/access.md); the first key signs, all are
   * accepted.
   */
  LECTERN_INTERNAL_KEYS: internalKeysSetting,
  /** Maximum milliseconds that a shutdown waits for running requests. */
  SHUTDOWN_TIMEOUT_MS: z.coerce.number().int().min(0).max(300_000).default(10_000),
};

/** Creates a setting that `parse` reads. Reports the message of its error. */
export const parsed = <T>(parse: (text: string) => T) =>
  z.string().transform((text, { addIssue }) => {
    try {
      return parse(text);
    } catch (error) {
      addIssue(error instanceof Error ? error.message : 'is not valid');
      return z.NEVER;
    }
  });

/** The address of a gRPC service: `host:port` or `dns:///name:port`. */
export const grpcTarget = z.string().regex(/^(dns:\/\/\/)?[^/\s]+:\d+$/, 'must be host:port or dns:///name:port');
