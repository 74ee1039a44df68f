import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ENDLESS_QUERIES,
  FORBIDDEN_READS,
  FORBIDDEN_WAITS,
  FORBIDDEN_WRITES,
  type TestDatabase,
  testDatabase,
  timeLimit,
  waitUntil,
} from '@lectern/testing';
import pg from 'pg';
import type { Connector } from '#connector';
import { postgresqlType } from '#postgresql/postgresql-type';
import { checkQuery } from '#postgresql/query/check-query';
import type { DatabaseQueries } from '#postgresql/query/database-queries';
import { QueryError } from '#postgresql/query/query-error';
import { runQuery } from '#postgresql/query/run-query';
import { openType } from './support/open-type.ts';
import { createTestHost } from './support/test-host.ts';

const PASSWORD = 'read-only';
const ATTACKS = [...FORBIDDEN_WRITES, ...FORBIDDEN_READS, ...FORBIDDEN_WAITS];
const TIMEOUT_MS = 1_000;
const LIMITS = { maxRows: 50, maxBytes: 200_000, timeoutMs: TIMEOUT_MS };
/** For queries that finish, or that another limit stops. */
const LONG_LIMITS = { ...LIMITS, timeoutMs: 120_000 };
/** Allows for clock differences, the round trip and a busy machine. */
const GRACE_MS = 500;

let database: TestDatabase;
let owner: pg.Client;
let reader: string;
let source: Connector;
let queries: DatabaseQueries;
const host = createTestHost({ allow: '127.0.0.1,localhost' });
const call = { signal: new AbortController().signal };

beforeAll(async () => {
  database = await testDatabase();
  owner = new pg.Client(database.url);
  await owner.connect();
  // The role that docs/connectors.md recommends for SQL queries.
  reader = `reader_${crypto.randomUUID().replaceAll('-', '')}`;
  await owner.query(`
    CREATE TABLE people (id serial PRIMARY KEY, name text NOT NULL, born date);
    COMMENT ON COLUMN people.born IS 'Day of birth';
    INSERT INTO people (name, born) SELECT 'Person ' || n, date '1990-01-01' + n FROM generate_series(1, 120) n;
    CREATE TABLE pets (id serial PRIMARY KEY, owner int REFERENCES people(id), name text);
    CREATE SCHEMA secret; CREATE TABLE secret.salaries (id int, amount numeric); INSERT INTO secret.salaries VALUES (1, 4711);
    CREATE FUNCTION secret.leak() RETURNS numeric LANGUAGE sql SECURITY DEFINER AS 'SELECT max(amount) FROM secret.salaries';
    CREATE ROLE ${reader} LOGIN PASSWORD '${PASSWORD}';
    REVOKE CREATE ON SCHEMA public FROM PUBLIC; REVOKE TEMPORARY ON DATABASE ${new URL(database.url).pathname.slice(1)} FROM PUBLIC;
    REVOKE EXECUTE ON FUNCTION lo_create(oid), lo_creat(int), lo_from_bytea(oid, bytea) FROM PUBLIC; GRANT USAGE ON SCHEMA public TO ${reader};
    GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${reader};`);
  const url = new URL(database.url);
  const config = { host: url.hostname, port: Number(url.port), database: url.pathname.slice(1), sslMode: 'disable' };
  source = openType(postgresqlType, config, { user: reader, password: PASSWORD }, host);
  queries = source.database!;
});
afterAll(async () => {
  await source.close?.();
  await owner.query(`DROP OWNED BY ${reader}; DROP ROLE ${reader}`);
  await owner.end();
  await host.close();
  await database.drop();
});

const connectAs = async (user: string, password: string) => {
  const client = new pg.Client(database.url.replace(/\/\/[^@]*@/, `//${user}:${password}@`));
  client.on('error', () => undefined);
  await client.connect();
  return client;
};
/** Returns the state that no attack may change. */
const state = async () => {
  const { rows } = await owner.query(`
    SELECT (SELECT count(*) FROM people) AS people, (SELECT sum(hashtext(people::text)) FROM people) AS sum,
      (SELECT last_value FROM people_id_seq) AS seq, (SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace) AS relations,
      (SELECT count(*) FROM pg_largeobject_metadata) AS objects, (SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace) AS functions`);
  return rows[0];
};
const LEAKED = /root:.*:0:0|4711|SCRAM-SHA/;

describe('an SQL query', () => {
  it('returns column names, and values in PostgreSQL text format', async () => {
    const sql = `SELECT name, born, extract(year FROM born) AS year, born > date '1990-02-01' AS late
      FROM people WHERE name ILIKE 'person 1%' AND id IN (1, 10) ORDER BY id;`;
    expect(await queries.query(call, sql)).toEqual({
      columns: ['name', 'born', 'year', 'late'],
      rows: [
        ['Person 1', '1990-01-02', '1990', 'f'],
        ['Person 10', '1990-01-11', '1990', 'f'],
      ],
      truncated: false,
    });
  });

  it.each([
    'WITH x AS (SELECT date_trunc($$month$$, born) AS m, count(*) FROM people GROUP BY 1) SELECT * FROM x ORDER BY m LIMIT 3',
    'SELECT p.name, count(t.id) FILTER (WHERE t.name IS NOT NULL) FROM people p LEFT JOIN pets t ON t.owner = p.id GROUP BY ROLLUP (p.name)',
    'SELECT *, row_number() OVER (PARTITION BY extract(month FROM born) ORDER BY id) FROM public.people',
    "SELECT string_agg(name, ', ' ORDER BY name) FROM people WHERE born BETWEEN '1990-01-01' AND '1990-01-05' GROUP BY ()",
    "SELECT coalesce(nullif(name, ''), 'none'), greatest(1, 2), CASE WHEN id > 1 THEN 'a' ELSE 'b' END, 5 = ANY (ARRAY[1, 5]) FROM people",
    "SELECT now() - interval '1 day' < CURRENT_TIMESTAMP, trim(both 'x' from 'xax'), substring('abc' from 2 for 1)",
    'VALUES (1, 2), (3, 4)',
    'SELECT id FROM people UNION SELECT id FROM pets EXCEPT SELECT 1 ORDER BY 1',
    'SELECT n FROM generate_series(1, 3) AS n, LATERAL (SELECT n * 2) AS twice(m)',
  ])('is accepted: %s', async (sql) => {
    expect((await queries.query(call, sql)).columns.length).toBeGreaterThan(0);
  });

  it('returns at most the row limit, and reports truncation', async () => {
    const result = await queries.query(call, 'SELECT * FROM people', LONG_LIMITS);
    expect([result.rows.length, result.truncated]).toEqual([50, true]);
    expect((await queries.query(call, 'SELECT * FROM people LIMIT 50', LONG_LIMITS)).truncated).toBe(false);
  });

  it('is rejected with a helpful message if it is invalid', async () => {
    const rejection = (sql: string) =>
      queries.query(call, sql).catch((error: Error) => `${error.name}: ${error.message}`);
    expect(await rejection('SELECT nam FROM people')).toMatch(
      /^QueryError: PostgreSQL reports: column "nam" does not exist/,
    );
    expect(await rejection('SELEC 1')).toMatch(/not valid SQL: syntax error at or near "SELEC"/);
    expect(await rejection('')).toMatch(/empty/);
    expect(await rejection('SELECT 1 / 0')).toMatch(/division by zero/);
  });

  it('can use the descriptions of tables and columns', async () => {
    const tables = await queries.describeTables(call);
    expect(tables.map(({ name }) => name)).toEqual(['people', 'pets']);
    const [pets] = await queries.describeTables(call, 'pets');
    expect(pets).toMatchObject({
      kind: 'table',
      primaryKey: ['id'],
      foreignKeys: [expect.stringContaining('people(id)')],
    });
    expect(tables[0]?.columns).toContainEqual({ name: 'born', type: 'date', nullable: true, comment: 'Day of birth' });
    expect(await queries.describeTables(call, 'salaries')).toEqual([]);
  });
});

describe(`${ATTACKS.length} attacks`, () => {
  it('do not pass the parser', async () => {
    const passed: string[] = [];
    for (const sql of ATTACKS) {
      await checkQuery(sql, 'public').then(
        () => passed.push(sql),
        (error) => expect(error).toBeInstanceOf(QueryError),
      );
    }
    expect(passed).toEqual([]);
  });

  it('change nothing in a read-only transaction, even as a superuser', async () => {
    const before = await state();
    const open = [...FORBIDDEN_WRITES, ...FORBIDDEN_WAITS].filter((sql) => !/pg_sleep|repeat|lpad|format/.test(sql));
    for (const sql of open) {
      const client = await connectAs(new URL(database.url).username, new URL(database.url).password);
      await runQuery(client, { sql: sql.replaceAll(/(?<![.\w])people\b/g, 'public.people'), limits: LIMITS }).catch(
        () => undefined,
      );
      await client.end().catch(() => undefined);
    }
    expect(await state()).toEqual(before);
  });

  it('change and leak nothing with the recommended role', async () => {
    const before = await state();
    let client = await connectAs(reader, PASSWORD);
    for (const sql of [...FORBIDDEN_WRITES, ...FORBIDDEN_READS]) {
      await client.query('SET statement_timeout = 1000').catch(() => undefined);
      const result = await client.query(sql).catch((error: Error) => error.message);
      expect(JSON.stringify(result)).not.toMatch(LEAKED);
      // An attack could have left a transaction or a copy open.
      await client.end().catch(() => undefined);
      client = await connectAs(reader, PASSWORD);
    }
    await client.end();
    expect(await state()).toEqual(before);
  });

  it('are all rejected quickly with a message', async () => {
    const before = await state();
    for (const sql of ATTACKS) {
      const startedAt = performance.now();
      await expect(queries.query(call, sql, LIMITS)).rejects.toBeInstanceOf(QueryError);
      expect(performance.now() - startedAt).toBeLessThan(timeLimit(TIMEOUT_MS + GRACE_MS));
    }
    expect(await state()).toEqual(before);
  });
});

describe('limits', () => {
  it.each(ENDLESS_QUERIES)('end %s', async (sql) => {
    await expect(queries.query(call, sql, LIMITS)).rejects.toThrow(/took longer than 1000 ms|too large|disk|space/);
    // The server stops the query shortly after it reports the error.
    const isIdle = async () => {
      const sql = `SELECT FROM pg_stat_activity WHERE usename = $1 AND state = 'active'`;
      return (await owner.query(sql, [reader])).rowCount === 0;
    };
    await waitUntil(isIdle, { what: 'the server to stop the query', timeoutMs: GRACE_MS * 4 });
  });

  it('reject a result that is too large, even a single value', async () => {
    const wide = "SELECT string_agg(md5(n::text), '') FROM generate_series(1, 50000) n";
    await expect(queries.query(call, wide, LONG_LIMITS)).rejects.toThrow('larger than 200000 bytes');
  });

  it('do not wait for locks', async () => {
    const other = await connectAs(new URL(database.url).username, new URL(database.url).password);
    await other.query('BEGIN; LOCK TABLE pets IN ACCESS EXCLUSIVE MODE');
    await expect(queries.query(call, 'SELECT * FROM pets', LONG_LIMITS)).rejects.toThrow('locked');
    await other.end();
  });

  it('stop the query on the server when the caller cancels', async () => {
    const controller = new AbortController();
    const query = queries.query({ signal: controller.signal }, ENDLESS_QUERIES[0]!, LIMITS);
    controller.abort();
    await expect(query).rejects.toBeDefined();
  });
});
