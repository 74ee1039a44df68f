import { join } from 'node:path';
import { ensureNatsServer, startPostgres } from '@lectern/local-engines';
import { temporaryFolder } from '../engines/temporary-folder.ts';
import { CACHE_FOLDER } from './cache-folder.ts';

let cleanUp: (() => Promise<void>) | undefined;

/** Jest's globalSetup: one PostgreSQL for the run (or the one at DATABASE_URL) and a nats-server to start from. */
export default async function globalSetup(): Promise<void> {
  process.env.LECTERN_TEST_NATS_SERVER = await ensureNatsServer({ cacheDir: CACHE_FOLDER });
  if (process.env.DATABASE_URL) {
    process.env.LECTERN_TEST_DATABASE_URL = process.env.DATABASE_URL;
    return;
  }
  const home = await temporaryFolder();
  const postgres = await startPostgres({ dataDir: join(home.path, 'postgres'), durable: false });
  process.env.LECTERN_TEST_DATABASE_URL = postgres.url;
  cleanUp = async () => {
    await postgres.stop();
    await home.remove();
  };
}

/** Ends what `globalSetup` started. */
export async function stopEngines(): Promise<void> {
  await cleanUp?.();
}
