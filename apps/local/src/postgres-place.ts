import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { abandonedPlaces } from '@lectern/local-engines';
import type { Home } from '#home';
import type { Terminal } from '#terminal';

/**
 * Returns the real path of PostgreSQL's data directory. If the PostgreSQL account cannot access the
 * home, the directory is outside it, together with related files, for example its password.
 */
export const postgresData = (home: Home): Promise<string> => realpath(home.postgres).catch(() => home.postgres);

/** Names the place of PostgreSQL's data if it is not in the home, and those that a home at this path had before. */
export async function sayPostgresPlace(home: Home, terminal: Terminal): Promise<void> {
  const data = await postgresData(home);
  if (dirname(data) !== (await realpath(home.root)))
    terminal.say(`PostgreSQL keeps its data in ${dirname(data)}, where its account can reach it`);
  for (const place of await abandonedPlaces(home.postgres))
    terminal.say(
      `The database of an earlier data folder at this path is still in ${place}. Remove it if you do not need it. If you moved that data folder, start Lectern with it once first.`,
    );
}
