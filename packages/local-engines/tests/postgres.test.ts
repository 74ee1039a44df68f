import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createDatabase, dropDatabase, type Engine, startPostgres, waitUntil } from '#index';
import { postgresAccount } from '#postgres/account';
import { initializeDataDir } from '#postgres/initialize';
import { processIdentity } from '#process/identity';
import { scratchFolder } from './support/scratch.ts';

const scratch = scratchFolder();
const running: Engine[] = [];
const listeners: Server[] = [];

async function start(
  name: string,
  more: { port?: number; portIsFixed?: boolean; durable?: boolean } = {},
): Promise<Engine> {
  const engine = await startPostgres({ dataDir: join(scratch.path, name), durable: false, ...more });
  running.push(engine);
  return engine;
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((engine) => engine.stop()));
  for (const server of listeners.splice(0)) server.close();
});
afterAll(() => scratch.remove());

describe('startPostgres', () => {
  it('creates the database lectern, and keeps its data after a restart', async () => {
    const first = await start('kept');
    await query(first.url, 'CREATE TABLE note (body text)');
    await query(first.url, `INSERT INTO note VALUES ('Ärger')`);
    await first.stop();
    expect(processIdentity(first.pid)).toBeUndefined();

    const second = await start('kept');
    expect(await query(second.url, 'SELECT upper(body) AS body, current_database() AS db FROM note')).toEqual([
      { body: 'ÄRGER', db: 'lectern' },
    ]);
  });

  it('listens only on 127.0.0.1, rejects a wrong password, and stores the password with mode 0600', async () => {
    const engine = await start('kept');
    expect(await query(engine.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(await query(engine.url, 'SHOW unix_socket_directories')).toEqual([{ unix_socket_directories: '' }]);
    const wrongUrl = new URL(engine.url);
    wrongUrl.password = 'guess';
    await expect(query(wrongUrl.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    expect(statSync(join(scratch.path, 'kept.password')).mode & 0o777).toBe(0o600);
  });

  it('syncs writes to disk by default', async () => {
    const durable = await start('durable', { durable: true });
    const settings = `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit`;
    expect(await query(durable.url, settings)).toEqual([{ fsync: 'on', commit: 'on' }]);
    const fast = await start('kept');
    expect(await query(fast.url, settings)).toEqual([{ fsync: 'off', commit: 'off' }]);
  });

  it('chooses another port if the preferred one is in use, unless it is fixed', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    listeners.push(server);
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const engine = await start('kept', { port });
    expect(engine.port).not.toBe(port);
    await query(engine.url, 'SELECT 1');
    await engine.stop();
    await expect(start('kept', { port, portIsFixed: true })).rejects.toThrow(`port ${port}`);
  });

  it('rejects a data directory that another launcher uses', async () => {
    const engine = await start('kept');
    await expect(start('kept')).rejects.toThrow(`is already running under process ${process.pid}`);
    await query(engine.url, 'SELECT 1');
  });

  it('runs two servers that start at the same time', async () => {
    const [one, two] = await Promise.all([start('kept'), start('other')]);
    expect(one.port).not.toBe(two.port);
    await Promise.all([query(one.url, 'SELECT 1'), query(two.url, 'SELECT 1')]);
  });

  it('keeps its port and committed data after kill -9 during a query', async () => {
    const first = await start('durable', { durable: true });
    await query(first.url, 'CREATE TABLE committed AS SELECT 7 AS n');
    // A backend in a long query does not notice that its server has ended.
    const busy = query(first.url, 'SELECT count(*) FROM generate_series(1, 1000000000000)');
    const failed = expect(busy).rejects.toThrow();
    const isBusy = async () =>
      (
        await query(
          first.url,
          `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT count(*)%' AND state = 'active'`,
        )
      ).length > 0;
    await waitUntil(isBusy, { what: 'the long query', timeoutMs: 120_000 });
    process.kill(first.pid, 'SIGKILL');
    expect(await first.exited).toMatchObject({ signal: 'SIGKILL', expected: false });
    const second = await start('durable', { durable: true, port: first.port, portIsFixed: true });
    expect(second.port).toBe(first.port);
    expect(await query(second.url, 'SELECT n FROM committed')).toEqual([{ n: 7 }]);
    await failed;
  });

  it('stops the server when the start is aborted', async () => {
    const signal = AbortSignal.timeout(1);
    await expect(
      startPostgres({ dataDir: join(scratch.path, 'aborted'), durable: false, signal }),
    ).rejects.toMatchObject({ name: 'TimeoutError' });
    await start('aborted');
  });

  it('reports a missing password file', async () => {
    const engine = await start('kept');
    await engine.stop();
    const file = join(scratch.path, 'kept.password');
    renameSync(file, `${file}.away`);
    await expect(start('kept')).rejects.toThrow(/kept\.password is missing/);
    renameSync(`${file}.away`, file);
  });
});

describe('createDatabase', () => {
  it('copies a template and keeps an existing database; dropDatabase closes its connections', async () => {
    const engine = await start('kept');
    const template = await createDatabase(engine.url, 'template_x');
    await query(template, 'CREATE TABLE seed AS SELECT 1 AS n');
    const copy = await createDatabase(engine.url, 'suite "1"', 'template_x');
    expect(await query(copy, 'SELECT n FROM seed')).toEqual([{ n: 1 }]);
    await createDatabase(engine.url, 'suite "1"');
    const open = new pg.Client({ connectionString: copy });
    open.on('error', () => undefined);
    await open.connect();
    await dropDatabase(engine.url, 'suite "1"');
    await dropDatabase(engine.url, 'suite "1"');
    await expect(query(copy, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
  });
});

describe("the environment of PostgreSQL's programs", () => {
  const settings = ['ANTHROPIC_API_KEY', 'LECTERN_MASTER_KEYS', 'NODE_AUTH_TOKEN'];

  beforeAll(() => {
    for (const name of settings) process.env[name] = 'canary';
  });

  afterAll(() => {
    for (const name of settings) delete process.env[name];
  });

  it('contains no secrets while the data directory is created', async () => {
    const programs = join(scratch.path, 'programs');
    mkdirSync(join(programs, 'bin'), { recursive: true });
    writeFileSync(
      join(programs, 'bin', 'initdb'),
      '#!/bin/sh\nfor arg; do case $arg in --pgdata=*) cd "$(echo "$arg" | cut -d= -f2)" && env > environment;; esac; done\n',
    );
    for (const path of [programs, join(programs, 'bin'), join(programs, 'bin', 'initdb')]) chmodSync(path, 0o755);
    const dataDir = join(scratch.path, 'environment');
    const account = await postgresAccount(dataDir);
    await initializeDataDir({ dataDir, programs, account, password: 'p', durable: false });
    const environment = readFileSync(join(dataDir, 'environment'), 'utf8');
    expect(environment).toContain('LC_ALL=C\n');
    expect(environment).not.toContain('canary');
  });

  (process.platform === 'linux' ? it : it.skip)(
    'contains no secrets while the server is running (needs /proc)',
    async () => {
      const { pid } = await start('kept');
      expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toContain('canary');
    },
  );
});
