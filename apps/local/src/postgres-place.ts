import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Home } from '#home';
import type { Terminal } from '#terminal';

/**
 * The real path of PostgreSQL's data directory. It is a place outside the home where PostgreSQL's account may not enter the
 * home; what belongs to the data, such as its password, is beside it there.
 */
export const postgresData = (home: Home): Promise<string> => realpath(home.postgres).catch(() => home.postgres);

/** Names the place of PostgreSQL's data if it is not in the home: who keeps or moves the home must know of it. */
export async function sayPostgresPlace(home: Home, terminal: Terminal): Promise<void> {
  const data = await postgresData(home);
  if (dirname(data) === (await realpath(home.root))) return;
  terminal.say(`PostgreSQL keeps its data in ${dirname(data)}, where its account can reach it`);
}
