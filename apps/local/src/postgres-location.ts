import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { abandonedLocations } from '@lectern/local-engines';
import type { Home } from '#home';
import type { Terminal } from '#terminal';

/**
 * Returns the real path of PostgreSQL's data directory. If the PostgreSQL account cannot access the
 * home, the directory is outside it, together with related files, for example its password.
 */
export const postgresData = (home: Home): Promise<string> => realpath(home.postgres).catch(() => home.postgres);

/** Prints the location of PostgreSQL's data if it is outside the home, and of abandoned data of earlier homes. */
export async function printPostgresLocation(home: Home, terminal: Terminal): Promise<void> {
  const data = await postgresData(home);
  if (dirname(data) !== (await realpath(home.root)))
    terminal.print(`PostgreSQL stores its data in ${dirname(data)}, because its account cannot enter ${home.root}`);
  for (const location of await abandonedLocations(home.postgres))
    terminal.print(
      `The database of an earlier data folder at this path is still in ${location}. Remove it if you do not need it. If you moved that data folder, start Lectern with it once first.`,
    );
}
