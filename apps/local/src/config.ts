import { isAbsolute } from 'node:path';
import { parseConfig } from '@lectern/service-kit';
import { z } from 'zod';
import { homeFolder } from '#home-folder';

const settings = z.object({
  /** Where the gateway listens. This machine alone by default; 0.0.0.0 opens it to others. */
  HOST: z.string().default('127.0.0.1'),
  /** The gateway's port; another one is taken where it is in use, and any free one for 0. */
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  /** Servers of one's own, in place of those that are started here. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' }).optional(),
  NATS_URL: z.string().optional(),
  QDRANT_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' }).optional(),
  QDRANT_API_KEY: z.string().optional(),
  /**
   * Where root stores PostgreSQL's data if the PostgreSQL account cannot access the data folder;
   * read by @lectern/local-engines.
   */
  LECTERN_POSTGRES_DIR: z.string().refine(isAbsolute, 'must be an absolute path').optional(),
  /** Handed to the services too; the launcher waits a little longer than they do. */
  SHUTDOWN_TIMEOUT_MS: z.coerce.number().int().min(0).max(300_000).default(10_000),
  /** For how long the gateway goes on before that. */
  DRAIN_MS: z.coerce.number().int().min(0).max(300_000).default(0),
  /** Development mode (`npm run dev`): services restart when their code changes, and Vite serves the console. */
  LECTERN_DEV: z.stringbool().default(false),
});

/** The launcher's settings. */
export type Config = z.output<typeof settings> & {
  readonly home: string;
  /** The environment it was started in, from which the services' own settings are taken. */
  readonly env: NodeJS.ProcessEnv;
};

/** Reads the launcher's settings. Throws `ConfigError`. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return { ...parseConfig(settings, env), home: homeFolder(env), env };
}
