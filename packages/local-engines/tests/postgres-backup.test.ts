import { copyFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { backUpPostgres, type Engine, restorePostgres, startPostgres } from '#index';
import { scratchFolder } from './support/scratch.ts';

const scratch = scratchFolder();
const running: Engine[] = [];
const at = (name: string) => join(scratch.path, name);

async function start(name: string): Promise<Engine> {
  const engine = await startPostgres({ dataDir: at(name) });
  running.push(engine);
  return engine;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((engine) => engine.stop()));
});
afterAll(() => scratch.remove());

describe('a backup of a running PostgreSQL', () => {
  it('contains every transaction committed before its end, and no partial ones, while others are writing', async () => {
    const engine = await start('busy');
    const client = await connect(engine.url);
    await client.query('CREATE TABLE pair (id int PRIMARY KEY, twin int NOT NULL, filler text)');
    let written = 0;
    let isDone = false;
    const write = (async () => {
      while (!isDone) {
        await client.query(
          `INSERT INTO pair SELECT n, m, repeat('x', 500) FROM generate_series(${written * 2}, ${written * 2 + 1}) AS n, LATERAL (SELECT n # 1 AS m) AS twin`,
        );
        written += 1;
        if (written % 50 === 0) await client.query('CHECKPOINT');
      }
    })();
    while (written < 100) await new Promise((resolve) => setImmediate(resolve));
    const before = written;
    await backUpPostgres({ url: engine.url, dataDir: at('busy'), to: at('backup') });
    isDone = true;
    await write;
    await client.end();
    await engine.stop();
    // Simulate the loss of the folder.
    rmSync(at('busy'), { recursive: true });

    await restorePostgres({ from: at('backup'), dataDir: at('busy') });
    const restored = await connect((await start('busy')).url);
    const { rows } = await restored.query(
      'SELECT count(*)::int AS n, count(*) FILTER (WHERE EXISTS (SELECT FROM pair AS p WHERE p.id = pair.twin))::int AS whole FROM pair',
    );
    await restored.end();
    expect(rows[0].n).toBeGreaterThanOrEqual(before * 2);
    expect(rows[0].whole).toBe(rows[0].n);
  });

  it('is readable only by this account, and is not restored over existing data', async () => {
    expect(statSync(at('backup')).mode & 0o777).toBe(0o700);
    expect(statSync(join(at('backup'), 'backup_label')).mode & 0o777).toBe(0o600);
    await expect(restorePostgres({ from: at('backup'), dataDir: at('busy') })).rejects.toThrow(/already exists/);
    await expect(restorePostgres({ from: scratch.path, dataDir: at('other') })).rejects.toThrow(/is not a backup/);
  });

  it('starts with the password file next to the data', async () => {
    await restorePostgres({ from: at('backup'), dataDir: at('second') });
    copyFileSync(`${at('busy')}.password`, `${at('second')}.password`);
    const client = await connect((await start('second')).url);
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await client.end();
  });
});
