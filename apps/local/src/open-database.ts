import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '@lectern/local-engines';
import { refuseHalfRestored } from '#half-restored';
import type { Home } from '#home';
import { LauncherError } from '#launcher-error';
import { tryLock } from '#lock';
import { prepareHome } from '#prepare-home';
import { openSecrets, type Secrets } from '#secrets';
import type { ServiceName } from '#services';
import { readState } from '#state-file';

const TIMEOUT_MS = 60_000;
const LOOK_EVERY_MS = 100;

/** The local data folder's database, open for a command. */
export interface OpenDatabase {
  /** Connects as the superuser. */
  readonly url: string;
  /** Connects as a service's own role. */
  urlOf(service: ServiceName): string;
  close(): Promise<void>;
}

/**
 * The database of a home: that of the running Lectern, else PostgreSQL is started for as long as it is needed. Throws a
 * `LauncherError` when neither comes about within a minute.
 */
export async function openDatabase(home: Home): Promise<OpenDatabase> {
  refuseHalfRestored(home);
  await prepareHome(home);
  const secrets = await openSecrets(home);
  for (const started = Date.now(); Date.now() - started < TIMEOUT_MS; await delay(LOOK_EVERY_MS)) {
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
      return { ...opened(secrets, postgres.url), close };
    }
    const state = await readState(home);
    if (state?.databaseUrl && state.status !== 'stopping')
      return { ...opened(secrets, state.databaseUrl), close: async () => undefined };
  }
  throw new LauncherError(
    `Another process uses ${home.root}, and its database was not up after ${TIMEOUT_MS / 1000} s.`,
  );
}

function opened(secrets: Secrets, url: string): Omit<OpenDatabase, 'close'> {
  return { url, urlOf: (service) => secrets.databaseUrlOf(service, url) };
}
