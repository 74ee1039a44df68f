import { join } from 'node:path';
import { ensureNatsServer, startPostgres } from '@lectern/local-engines';
import { CACHE_FOLDER } from '#engines/cache-folder';
import { temporaryFolder } from '#engines/temporary-folder';

const DATABASE_VARIABLE = 'LECTERN_TEST_DATABASE_URL';
const NATS_VARIABLE = 'LECTERN_TEST_NATS_SERVER';

/** The engines of a test run: the environment variables with their addresses, and how to stop them. */
export interface TestEngines {
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL server that all tests of a run share, and finds or downloads nats-server.
 * Uses engines that the environment already specifies: those of an outer run, or the server at
 * DATABASE_URL. The server stops with this process, even after SIGKILL (see local-engines/process/reaper).
 */
export async function startTestEngines(): Promise<TestEngines> {
  const env = {
    [NATS_VARIABLE]: process.env[NATS_VARIABLE] ?? (await ensureNatsServer({ cacheDir: CACHE_FOLDER })),
    // With compiled code a service starts in half the time.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(CACHE_FOLDER, 'compiled'),
  };
  const database = process.env[DATABASE_VARIABLE] ?? process.env.DATABASE_URL;
  if (database) return { env: { ...env, [DATABASE_VARIABLE]: database }, stop: async () => undefined };
  const folder = await temporaryFolder();
  const postgres = await startPostgres({ dataDir: join(folder.path, 'postgres'), durable: false });
  return {
    env: { ...env, [DATABASE_VARIABLE]: postgres.url },
    stop: async () => {
      await postgres.stop();
      await folder.remove();
    },
  };
}
