import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@lectern/testing';
import pg from 'pg';
import type { Connector } from '#connector';
import { postgresqlType } from '#postgresql/postgresql-type';
import { lastCheckpoint } from './conformance/listing.ts';
import { type CuttingProxy, startCuttingProxy } from './support/cutting-proxy.ts';
import { openType } from './support/open-type.ts';
import { call, collect, collectUntilError, idsOf, refsOf, textOf } from './support/read-source.ts';
import { createTestHost } from './support/test-host.ts';

const opened: Connector[] = [];
let database: TestDatabase;
let admin: pg.Client;
let proxy: CuttingProxy;
let settings: { host: string; port: number; database: string };
let credentials: { user: string; password: string };
const host = createTestHost({ allow: '127.0.0.1,localhost' });

beforeAll(async () => {
  database = await testDatabase();
  admin = new pg.Client(database.url);
  await admin.connect();
  const url = new URL(database.url);
  settings = { host: url.hostname, port: Number(url.port), database: url.pathname.slice(1) };
  credentials = { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  proxy = await startCuttingProxy(settings);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connector) => connector.close?.()));
  proxy.cutAfter(undefined);
  await admin.query('DROP SCHEMA IF EXISTS "Team Data" CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public');
});
afterAll(async () => {
  await admin.end();
  await proxy.stop();
  await host.close();
  await database.drop();
});

function open(config: Record<string, unknown> = {}, login: Record<string, unknown> = {}): Connector {
  const connector = openType(postgresqlType, { ...settings, ...config }, { ...credentials, ...login }, host);
  opened.push(connector);
  return connector;
}

describe('PostgreSQL', () => {
  it('renders a row as readable Markdown', async () => {
    await admin.query(`CREATE TABLE articles (id int PRIMARY KEY, subject text, author text, body text, done boolean, raw bytea, tags text[],
      price numeric, note text, updated_at timestamp);
      INSERT INTO articles VALUES (7, 'Grüße', 'Ada', E'Line one\\nline two', true, '\\xff', '{a,b}', 12345678901234567890.5, NULL, '2026-01-02 03:04:05')`);
    const connector = open();
    const [ref] = refsOf(await collect(connector.list(call)));
    expect(ref).toMatchObject({
      id: 'public.articles.7',
      path: 'public.articles/7',
      title: 'Grüße',
      author: 'Ada',
      mimeType: 'text/markdown',
      updatedAt: '2026-01-02T03:04:05.000Z',
    });
    expect(await textOf(connector, ref!)).toBe(
      '# Grüße\n\n- **id**: 7\n- **subject**: Grüße\n- **author**: Ada\n- **done**: yes\n- **tags**: {a,b}\n' +
        '- **price**: 12345678901234567890.5\n- **updated_at**: 2026-01-02 03:04:05\n\n## body\n\nLine one\nline two\n\n',
    );
    expect(await connector.fetch(call, ref!)).toMatchObject({
      version: ref!.version,
      fileName: 'articles-7.md',
      metadata: { schema: 'public', table: 'articles', key: '7' },
    });
  });

  it('reads tables, partitioned tables once, views and tables without a key, with any names', async () => {
    await admin.query(`CREATE SCHEMA "Team Data";
      CREATE TABLE "Team Data"."odd.ta""ble" ("the key" text, part int, "select" text, PRIMARY KEY ("the key", part));
      INSERT INTO "Team Data"."odd.ta""ble" VALUES ('a,b.c/d%', 1, 'x'), ('z', 2, 'y');
      CREATE TABLE "Team Data".plain (a int, b text);
      INSERT INTO "Team Data".plain VALUES (1, 'one'), (2, NULL);
      CREATE VIEW "Team Data".shown AS SELECT b FROM "Team Data".plain WHERE a = 1;
      CREATE TABLE "Team Data".parted (id int PRIMARY KEY) PARTITION BY RANGE (id);
      CREATE TABLE "Team Data".part_one PARTITION OF "Team Data".parted FOR VALUES FROM (0) TO (10);
      INSERT INTO "Team Data".parted VALUES (3)`);
    const connector = open({ schema: 'Team Data' });
    const refs = refsOf(await collect(connector.list(call)));
    const ids = refs.map(({ id }) => id);
    expect(ids).toContain('Team Data.odd%2Eta"ble.a%2Cb.c/d%25,1');
    expect(ids).toContain('Team Data.parted.3');
    expect(ids).toHaveLength(6);
    for (const ref of refs) {
      expect(await connector.resolve(call, ref.id)).toEqual(ref);
      expect(await textOf(connector, ref)).toContain('# ');
    }
    for (const name of ['plain/none', 'none/1', 'parted/4', 'parted/x', 'parted/3,4', 'other.parted/3', 'parted', '']) {
      expect(await connector.resolve(call, name)).toBeNull();
    }
    for (const name of ['parted/3', 'Team Data.parted/3', 'Team Data.parted.3']) {
      expect(connector.idOf!(name)).toBe('Team Data.parted.3');
      expect(await connector.resolve(call, name)).toMatchObject({ id: 'Team Data.parted.3' });
    }
  });

  it('resumes after a lost connection, and never reports an interrupted listing as complete', async () => {
    await admin.query(`CREATE TABLE a (id int PRIMARY KEY, title text); INSERT INTO a SELECT n, 't' || n FROM generate_series(1, 1300) n;
      CREATE TABLE b (id int PRIMARY KEY, title text); INSERT INTO b SELECT n, 't' || n FROM generate_series(1, 700) n`);
    const openThroughProxy = () => open({ port: proxy.port, host: '127.0.0.1', sslMode: 'disable' });
    const allIds = idsOf(await collect(openThroughProxy().list(call)));
    expect(allIds).toHaveLength(2_000);
    const { sent } = proxy;
    for (const share of [0.02, 0.3, 0.5, 0.75, 0.99]) {
      proxy.cutAfter(Math.floor(sent * share));
      const { reported, error } = await collectUntilError(openThroughProxy().list(call));
      expect(error).toMatchObject({ name: 'SourceError', kind: 'transient' });
      expect(reported.some(({ type }) => type === 'complete')).toBe(false);
      proxy.cutAfter(undefined);
      const rest = await collect(openThroughProxy().list(call, lastCheckpoint(reported)));
      expect(new Set([...idsOf(reported), ...idsOf(rest)]).size).toBe(2_000);
      expect(rest.at(-1)).toEqual({ type: 'complete', authoritative: true });
    }
  });

  it('lists one snapshot, even if rows are written during the listing', async () => {
    await admin.query(`CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a SELECT generate_series(1, 1200)`);
    const ids: string[] = [];
    for await (const event of open().list(call)) {
      if (ids.length === 0) await admin.query('DELETE FROM a WHERE id % 2 = 0; INSERT INTO a VALUES (5000)');
      if (event.type === 'item') ids.push(event.ref.id);
    }
    expect(ids).toHaveLength(1_200);
  });

  it('reports a broken view, reads the rest, and deletes nothing', async () => {
    await admin.query(`CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a VALUES (1);
      CREATE VIEW broken AS SELECT 1 / (id - 1) AS x FROM a; CREATE MATERIALIZED VIEW bare AS SELECT 1 AS x WITH NO DATA; CREATE TABLE c (id int PRIMARY KEY); INSERT INTO c VALUES (2)`);
    const events = await collect(open().list(call));
    expect(idsOf(events)).toEqual(['public.a.1', 'public.c.2']);
    for (const id of ['public.bare', 'public.broken']) {
      expect(events).toContainEqual(expect.objectContaining({ type: 'failed', id }));
    }
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: false });
  });

  it('requires confirmation before deleting rows of a table without permission', async () => {
    const user = `reader_${process.pid}`;
    await admin.query(`CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a VALUES (1); CREATE TABLE secret (id int PRIMARY KEY);
      INSERT INTO secret VALUES (1); CREATE ROLE ${user} LOGIN PASSWORD 'pw'; GRANT USAGE ON SCHEMA public TO ${user}; GRANT SELECT ON a TO ${user}`);
    try {
      const connector = open({}, { user, password: 'pw' });
      const events = await collect(connector.list(call));
      expect(idsOf(events)).toEqual(['public.a.1']);
      expect(events.at(-1)).toEqual({ type: 'complete', authoritative: true, confirmGone: true });
      await expect(connector.resolve(call, 'secret/1')).rejects.toMatchObject({ kind: 'forbidden' });
      expect((await connector.test(call)).at(-1)).toMatchObject({
        ok: true,
        message: expect.stringContaining('1 of 2'),
      });
    } finally {
      await admin.query(`DROP OWNED BY ${user}; DROP ROLE ${user}`);
    }
  });

  it('does not treat included columns of an index as part of the key', async () => {
    await admin.query(`CREATE TABLE a (id int, note text, PRIMARY KEY (id) INCLUDE (note)); INSERT INTO a VALUES (1, NULL), (2, 'x');
      CREATE TABLE b (code text NOT NULL, note text); CREATE UNIQUE INDEX ON b (code) INCLUDE (note); INSERT INTO b VALUES ('k', NULL);
      CREATE TABLE c (id int PRIMARY KEY); INSERT INTO c VALUES (3)`);
    const connector = open();
    const events = await collect(connector.list(call));
    expect(idsOf(events)).toEqual(['public.a.1', 'public.a.2', 'public.b.k', 'public.c.3']);
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: true });
    await admin.query("UPDATE a SET note = 'y'; UPDATE b SET note = 'y'");
    expect(idsOf(await collect(connector.list(call)))).toEqual(idsOf(events));
    for (const ref of refsOf(await collect(connector.list(call)))) {
      expect(await connector.resolve(call, ref.id)).toEqual(ref);
    }
  });

  it('finds rows with empty, unusual or very long keys', async () => {
    const keys = [
      '',
      ' ',
      '/',
      '.',
      ',',
      '%',
      "'",
      '%2C',
      '\n',
      'ü',
      'x'.repeat(2_500),
      `${',%'.repeat(1_200)}a`,
      `${',%'.repeat(1_200)}b`,
    ];
    await admin.query(
      `CREATE TABLE named (key text PRIMARY KEY, body text); CREATE TABLE paired (a text, b text, PRIMARY KEY (a, b))`,
    );
    await admin.query("INSERT INTO named SELECT k, 'The body' FROM unnest($1::text[]) k", [keys]);
    await admin.query('INSERT INTO paired SELECT a, b FROM unnest($1::text[]) a, unnest($1::text[]) b', [
      keys.slice(0, 9),
    ]);
    const connector = open();
    const refs = refsOf(await collect(connector.list(call)));
    expect(new Set(refs.map(({ id }) => id)).size).toBe(keys.length + 81);
    for (const ref of refs) {
      expect(Buffer.byteLength(ref.id)).toBeLessThan(1_100);
      expect(await connector.resolve(call, ref.id)).toEqual(ref);
      expect(await connector.resolve(call, ref.path)).toEqual(ref);
      expect(connector.idOf!(ref.path)).toBe(ref.id);
      expect(await textOf(connector, ref)).toContain('# ');
    }
    expect(refs.map(({ id }) => id)).toContain('public.named.');
  });

  it.each([
    [{ database: 'missing' }, {}, 'database does not exist'],
    [{ schema: 'missing' }, {}, 'does not exist in the database'],
    [{}, { password: 'wrong' }, 'rejected the user'],
    [{}, { user: 'missing_user' }, /rejected the user|does not allow/],
    [{ port: 1 }, {}, 'refused'],
    [{ host: '192.168.0.1' }, {}, 'EGRESS_ALLOW'],
    [{ sslMode: 'verify-full' }, {}, /TLS/],
  ])('reports what is wrong with %j %j', async (config, login, message) => {
    const connector = open(config, login);
    const expected = typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message);
    expect((await connector.test(call)).at(-1)).toMatchObject({ ok: false, message: expected });
    await expect(collect(connector.list(call))).rejects.toMatchObject({ name: 'SourceError', message: expected });
  });

  it('ignores the environment', async () => {
    const before = { ...process.env };
    Object.assign(process.env, {
      PGHOST: '/tmp',
      PGPORT: '1',
      PGUSER: 'someone',
      PGPASSWORD: credentials.password,
      PGDATABASE: 'missing',
      PGOPTIONS: '-c search_path=missing',
      PGSSLMODE: 'require',
      PGAPPNAME: 'leak',
      PGREPLICATION: 'database',
    });
    try {
      expect(await collect(open().list(call))).toHaveLength(1);
      expect((await open({}, { password: '' }).test(call)).at(-1)).toMatchObject({ ok: false });
    } finally {
      process.env = before;
    }
  });

  it('closes all its connections', async () => {
    await admin.query('CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a VALUES (1)');
    const connector = open();
    for await (const event of connector.list(call)) if (event.type === 'item') break;
    await Promise.all([1, 2, 3, 4].map(() => connector.resolve(call, 'a/1')));
    await connector.close!();
    const controller = new AbortController();
    await admin.query('BEGIN; LOCK TABLE a IN ACCESS EXCLUSIVE MODE');
    const waiting = connector.resolve({ signal: controller.signal }, 'a/1');
    setTimeout(() => controller.abort(new Error('cancelled')), 100);
    await expect(waiting).rejects.toThrow('cancelled');
    await admin.query('ROLLBACK');
    const openSessions = () =>
      admin.query(
        "SELECT state, query FROM pg_stat_activity WHERE application_name = 'lectern' AND datname = current_database()",
      );
    const deadline = Date.now() + 60_000;
    while ((await openSessions()).rowCount !== 0 && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await openSessions()).rows).toEqual([]);
  });

  it('reports invalid settings', () => {
    const issues = (config: unknown) => {
      try {
        postgresqlType.checkConfig(config);
      } catch (error) {
        return (error as { details: { issues: { path: string }[] } }).details.issues.map(({ path }) => path).sort();
      }
      return [];
    };
    expect(issues({})).toEqual(['config.database', 'config.host']);
    for (const bad of ['/var/run/postgresql', 'a b', 'user@host', 'host/path', 'a,b', '']) {
      expect(issues({ host: bad, database: 'd' })).toEqual(['config.host']);
    }
    expect(issues({ host: 'h', database: 'd', port: 0, sslMode: 'x', user: 'u' })).toEqual([
      'config.port',
      'config.sslMode',
      'config.user',
    ]);
    expect(postgresqlType.checkConfig({ host: 'db', database: 'd', port: '5433' })).toEqual({
      host: 'db',
      port: 5433,
      database: 'd',
      schema: 'public',
      sslMode: 'prefer',
    });
  });
});
