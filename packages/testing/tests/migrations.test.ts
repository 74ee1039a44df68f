import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { applyMigrations } from '@lectern/service-kit';
import pg from 'pg';
import { type TestDatabase, testDatabase, waitUntil } from '#index';

const FIRST = '20260101000000_first';
const TABLE = 'CREATE TABLE things (id TEXT PRIMARY KEY);';

let database: TestDatabase;
let client: pg.Client;
let dir: string;
beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client(database.url);
  await client.connect();
  dir = await mkdtemp(join(tmpdir(), 'lectern-migrations-'));
  await mkdir(join(dir, FIRST));
});
afterAll(async () => {
  await client.end();
  await database.drop();
  await rm(dir, { recursive: true, force: true });
});

const migrate = async (sql: string) => {
  await writeFile(join(dir, FIRST, 'migration.sql'), sql);
  await applyMigrations({ url: database.url, schema: 'store', dir });
};

it('restarts a migration whose process was killed', async () => {
  const broken = expect(migrate(`${TABLE} SELECT pg_sleep(600);`)).rejects.toThrow(/failed and was rolled back/);
  await waitUntil(
    async () => {
      const { rowCount } = await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid()`,
      );
      return rowCount === 1;
    },
    { what: 'the migration to run', timeoutMs: 5_000 },
  );
  await broken;
  await migrate(TABLE);
  // Another replica and the next start find it applied.
  await migrate(TABLE);
  const { rows } = await client.query(
    'SELECT migration_name, finished_at IS NULL AS open FROM store._prisma_migrations',
  );
  expect(rows).toEqual([{ migration_name: FIRST, open: false }]);
  expect((await client.query('SELECT count(*)::int AS count FROM store.things')).rows).toEqual([{ count: 0 }]);
});

it('reports a migration that was edited after it was applied', async () => {
  await expect(migrate(`${TABLE} -- edited`)).rejects.toThrow(`Migration ${FIRST} was edited after it was applied.`);
});
