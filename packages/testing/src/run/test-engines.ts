import { join } from 'node:path';
import { ensureNatsServer, startPostgres } from '@lectern/local-engines';
import { CACHE_FOLDER } from '#engines/cache-folder';
import { temporaryFolder } from '#engines/temporary-folder';
import { servePool } from '#run/serve-pool';
import { runAll } from '#run-all';
import { SERVICES_VARIABLE } from '#services/shared-services';

const DATABASE_VARIABLE = 'LECTERN_TEST_DATABASE_URL';
const NATS_VARIABLE = 'LECTERN_TEST_NATS_SERVER';

/**
 * Starts what all tests of a run share: the PostgreSQL server, and services on demand. Finds or downloads
 * nats-server, and sets the environment variables with the addresses. Returns how to stop everything.
 * Uses engines that the environment already specifies: those of an outer run, or the server at
 * DATABASE_URL. The server stops with this process, even after SIGKILL (see local-engines/process/reaper).
 */
export async function startTestEngines(): Promise<() => Promise<void>> {
  const stopping: (() => Promise<void>)[] = [];
  const set = (variable: string, value: string) => {
    process.env[variable] = value;
  };
  process.env[NATS_VARIABLE] ??= await ensureNatsServer({ cacheDir: CACHE_FOLDER });
  // With compiled code a service starts in half the time.
  process.env.NODE_COMPILE_CACHE ??= join(CACHE_FOLDER, 'compiled');
  const database = process.env[DATABASE_VARIABLE] ?? process.env.DATABASE_URL;
  if (database) {
    set(DATABASE_VARIABLE, database);
  } else {
    const folder = await temporaryFolder();
    const postgres = await startPostgres({ dataDir: join(folder.path, 'postgres'), durable: false });
    stopping.push(folder.remove, postgres.stop);
    set(DATABASE_VARIABLE, postgres.url);
  }
  if (process.env[SERVICES_VARIABLE] === undefined) {
    const { url, stop } = await servePool();
    stopping.push(stop);
    set(SERVICES_VARIABLE, url);
  }
  return async () => {
    await runAll(stopping.reverse());
  };
}
