import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Home } from '#home';
import type { Terminal } from '#terminal';

/**
 * Returns the real path of PostgreSQL's data directory. If the PostgreSQL account cannot access the
 * home, the directory is outside it, together with related files, for example its password.
 */
export const postgresData = (home: Home): Promise<string> => realpath(home.postgres).catch(() => home.postgres);

/**
 * Prints the location of PostgreSQL's data if it is outside the home: a backup or a move of the
 * home must include it.
 */
export async function sayPostgresPlace(home: Home, terminal: Terminal): Promise<void> {
  const data = await postgresData(home);
  if (dirname(data) === (await realpath(home.root))) return;
  terminal.say(`PostgreSQL stores its data in ${dirname(data)} because its account cannot access the data folder`);
}
