import { isAbsolute } from 'node:path';
import { parseConfig } from '@lectern/service-kit';
import { z } from 'zod';
import { homeFolder } from '#home-folder';

const settings = z.object({
  /** The address that the gateway listens on. 0.0.0.0 opens it to other machines. */
  HOST: z.string().default('127.0.0.1'),
  /** The gateway's port. If it is in use, or 0, the launcher chooses another one. */
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  /** The URLs of external servers. If one is set, Lectern does not start a local one. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// URL' }).optional(),
  NATS_URL: z.string().optional(),
  QDRANT_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).optional(),
  QDRANT_API_KEY: z.string().optional(),
  /**
   * Where root stores PostgreSQL's data if the PostgreSQL account cannot access the data folder;
   * read by @lectern/local-engines.
   */
  LECTERN_POSTGRES_DIR: z.string().refine(isAbsolute, 'must be an absolute path').optional(),
  /** Also passed to the services. The launcher waits a little longer than they do. */
  SHUTDOWN_TIMEOUT_MS: z.coerce.number().int().min(0).max(300_000).default(10_000),
  /** How long the gateway still accepts requests before it shuts down. */
  DRAIN_MS: z.coerce.number().int().min(0).max(300_000).default(0),
  /** Development mode (`npm run dev`): services restart when their code changes, and Vite serves the console. */
  LECTERN_DEV: z.stringbool().default(false),
});

/** The launcher's settings. */
export type Config = z.output<typeof settings> & {
  readonly home: string;
  /** The environment of the launcher, which also contains the services' settings. */
  readonly env: NodeJS.ProcessEnv;
};

/** Reads the launcher's settings. Throws `ConfigError`. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return { ...parseConfig(settings, env), home: homeFolder(env), env };
}
