import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '@lectern/local-engines';
import type { Home } from '#home';
import { rejectIncompleteRestore } from '#incomplete-restore';
import { LauncherError } from '#launcher-error';
import { tryLock } from '#lock';
import { prepareHome } from '#prepare-home';
import { openSecrets, type Secrets } from '#secrets';
import type { ServiceName } from '#services';
import { readState } from '#state-file';

const TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 100;

/** The local data folder's database, open for a command. */
export interface OpenDatabase {
  /** Connects as the superuser. */
  readonly url: string;
  /** Returns the URL for the role of a service. */
  urlOf(service: ServiceName): string;
  close(): Promise<void>;
}

/**
 * Opens the database of a home: the running one, or a PostgreSQL server that runs until `close`.
 * Throws a `LauncherError` if neither is ready within a minute.
 */
export async function openDatabase(home: Home): Promise<OpenDatabase> {
  rejectIncompleteRestore(home);
  await prepareHome(home);
  const secrets = await openSecrets(home);
  for (const started = Date.now(); Date.now() - started < TIMEOUT_MS; await delay(POLL_INTERVAL_MS)) {
    const lock = await tryLock(home);
    if (lock) {
      const postgres = await startPostgres({ dataDir: home.postgres, logFile: home.log('postgres') });
      const close = async () => {
        await postgres.stop();
        lock.release();
      };
      try {
        await secrets.ensureRoles(postgres.url);
      } catch (error) {
        await close();
        throw error;
      }
      return { ...connection(secrets, postgres.url), close };
    }
    const state = await readState(home);
    if (state?.databaseUrl && state.status !== 'stopping')
      return { ...connection(secrets, state.databaseUrl), close: async () => undefined };
  }
  throw new LauncherError(
    `Another process uses ${home.root}, but its database was not ready after ${TIMEOUT_MS / 1000} s. Stop that process, or try again.`,
  );
}

function connection(secrets: Secrets, url: string): Omit<OpenDatabase, 'close'> {
  return { url, urlOf: (service) => secrets.databaseUrlOf(service, url) };
}
