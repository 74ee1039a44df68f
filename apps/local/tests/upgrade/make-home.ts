import { relative } from 'node:path';
import pg from 'pg';
import { testHome } from '../support/start-lectern.ts';
import { fillHome } from './fill-home.ts';
import { packHome } from './packed-home.ts';

// Creates a data folder with the code of this checkout and stores it for the upgrade tests:
//   node tests/upgrade/make-home.ts 0.1.0-aebbdf7
const [version = ''] = process.argv.slice(2);
if (!/^[\w.-]+$/.test(version)) throw new Error('Name the version, for example: make-home.ts 0.1.0-aebbdf7');

/**
 * Starts an empty segment of PostgreSQL's log and deletes the full ones, which are not needed after
 * a clean stop.
 */
async function dropOldLog(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('ALTER SYSTEM SET wal_recycle = off');
    await client.query('SELECT pg_reload_conf()');
    // The checkpointer reads the setting before its next round.
    await client.query('CHECKPOINT');
    await client.query('SELECT pg_switch_wal()');
    await client.query('CHECKPOINT');
    await client.query('ALTER SYSTEM RESET wal_recycle');
  } finally {
    await client.end();
  }
}

const home = await testHome();
try {
  const launcher = await home.launch();
  await launcher.ready;
  const facts = await fillHome(await home.credentials());
  await dropOldLog((await home.state()).databaseUrl ?? '');
  launcher.signal('SIGINT');
  const exit = await launcher.ended;
  if (exit !== 0) throw new Error(`Lectern did not stop cleanly (${exit}):\n${launcher.output()}`);
  const folder = await packHome(home.path, version, facts);
  process.stdout.write(`${relative(process.cwd(), folder)}\n`);
} finally {
  await home.remove();
}
