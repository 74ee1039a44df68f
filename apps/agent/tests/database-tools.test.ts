import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, newId } from '@lectern/service-kit';
import {
  createCaller,
  ENDLESS_QUERIES,
  FORBIDDEN_READS,
  FORBIDDEN_WAITS,
  FORBIDDEN_WRITES,
  type TestDatabase,
  timeLimit,
  waitUntil,
} from '@lectern/testing';
import pg from 'pg';
import { startToolServices, type ToolServices } from './support/tool-services.ts';

/** The connector service's timeout for a query, plus the overhead of a call on a busy machine. */
const TIMEOUT_MS = 5_000;
const GRACE_MS = 500;
const ATTACKS_AT_ONCE = 4;

const team = createCaller();
let services: ToolServices;
let database: TestDatabase;
let owner: pg.Client;
let sales: string;
let handbook: string;
let shop: string;

const within = (...ids: string[]): Caller => ({ ...team, scope: { kind: 'only', ids } });
const query = (sql: string, caller: Caller = within(sales), signal?: AbortSignal) =>
  services.run('query_database', { sql }, caller, signal);

beforeAll(async () => {
  services = await startToolServices();
  sales = await services.addCollection(team, 'Sales');
  handbook = await services.addCollection(team, 'Handbook');
  database = await services.newDatabase();
  owner = new pg.Client(database.url);
  await owner.connect();
  await owner.query(`
    CREATE TABLE people (id serial PRIMARY KEY, name text NOT NULL, born date);
    COMMENT ON TABLE people IS 'Customers of the shop';
    INSERT INTO people (name, born) SELECT 'Person ' || n, date '1990-01-01' + n FROM generate_series(1, 300) n;
    CREATE TABLE orders (id serial PRIMARY KEY, person int REFERENCES people(id), note text);
    INSERT INTO orders (person, note) VALUES (1, E'a | b\\nc'), (2, NULL);
    CREATE SCHEMA secret; CREATE TABLE secret.salaries (id int, amount numeric); INSERT INTO secret.salaries VALUES (1, 4711);
    CREATE FUNCTION secret.leak() RETURNS numeric LANGUAGE sql SECURITY DEFINER AS 'SELECT max(amount) FROM secret.salaries'`);
  // The role is a superuser, so only the layers before it can stop a query.
  shop = await services.addDatabase(team, sales, 'Shop', database.url, ['user:ada@example.com']);
});
afterAll(async () => {
  await owner.end();
  await services.stop();
});

describe('database tools', () => {
  it('find tables, describe one and execute a SELECT', async () => {
    const schema = await services.run('search_database_schema', { query: 'customers' }, within(sales));
    expect(schema).toMatchObject({ isError: false, summary: { count: 2 } });
    expect(schema.content).toMatch(
      /^## Shop\nid: con_\S+, PostgreSQL database \S+, schema public\n- people \(table\): id/,
    );
    const table = await services.run('get_table_info', { table: 'orders' }, within(sales));
    expect(table.content).toMatch(/- id: integer, not null[\s\S]*Primary key: id\n.*people/);
    const rows = await query('SELECT id, note FROM orders ORDER BY id');
    expect(rows.content).toBe('| id | note |\n| --- | --- |\n| 1 | a \\| b c |\n| 2 | NULL |');
    expect(rows.summary).toEqual({ count: 2, truncated: false });
  });

  it('return errors that the model can correct', async () => {
    const replyOf = async (sql: string) => (await query(sql)).content;
    expect(await replyOf('SELECT nam FROM people')).toMatch(/column "nam" does not exist/);
    expect(await replyOf('SELEC 1')).toMatch(/syntax error/);
    expect(await replyOf('DROP TABLE people')).toMatch(/Only SELECT/);
    const unknown = await services.run('get_table_info', { table: 'nothing' }, within(sales));
    expect(unknown).toMatchObject({ isError: true, content: expect.stringContaining('nothing') });
  });

  it('limit the number of rows and the length of values', async () => {
    expect((await query('SELECT * FROM people')).summary).toEqual({ count: 200, truncated: true });
    const columns = Array.from({ length: 300 }, (_, n) => `name AS ${'c'.repeat(50)}${n}`).join();
    const { content } = await query(`SELECT ${columns} FROM people`);
    expect(content.length).toBeLessThan(1_100_000);
  });

  it('query only databases in their scope that the user can read', async () => {
    const inScope = { isError: false };
    expect(await query('SELECT 1 AS one', { ...within(sales), userEmail: 'ada@example.com' })).toMatchObject(inScope);
    for (const caller of [
      within(handbook),
      within(),
      createCaller(),
      { ...within(sales), userEmail: 'bob@example.com' },
    ]) {
      for (const [tool, input] of [
        ['query_database', { sql: 'SELECT name FROM people', database: shop }],
        ['query_database', { sql: 'SELECT name FROM people' }],
        ['get_table_info', { table: 'people', database: 'Shop' }],
        ['search_database_schema', { query: 'people' }],
      ] as const) {
        const { content } = await services.run(tool, input, caller);
        expect(content).toBe('No database is connected to the collections of this agent.');
      }
    }
  });

  it('require the name of the database if there are several', async () => {
    const second = await services.addDatabase(team, handbook, 'Copy', database.url);
    const ambiguous = await query('SELECT 1', within(sales, handbook));
    expect(ambiguous).toMatchObject({ isError: true });
    expect(ambiguous.content).toContain(`Copy (${second})`);
    const by = (name: string) =>
      services.run('query_database', { sql: 'SELECT 1', database: name }, within(sales, handbook));
    expect(await by('Copy')).toMatchObject({ isError: false });
    expect(await by(shop)).toMatchObject({ isError: false });
    expect(await by(newId('connector'))).toMatchObject({ isError: true });
  });

  it('cancel the query in the database when they are aborted', async () => {
    // A query locks the tables that it reads until it ends.
    const isRunning = async () =>
      (await owner.query("SELECT 1 FROM pg_locks WHERE relation = 'orders'::regclass AND pid <> pg_backend_pid()")).rows
        .length > 0;
    const controller = new AbortController();
    const result = query(
      'SELECT count(*) FROM orders, generate_series(1, 1000000000000)',
      within(sales),
      controller.signal,
    );
    const ended = expect(result).rejects.toThrow('enough');
    await waitUntil(isRunning, { what: 'the query to run', timeoutMs: 4_000 });
    const started = performance.now();
    controller.abort(new Error('enough'));
    await ended;
    await waitUntil(async () => !(await isRunning()), { what: 'the query to end', timeoutMs: 4_000 });
    expect(performance.now() - started).toBeLessThan(timeLimit(1_500));
  });
});

describe('attacks through query_database', () => {
  const LEAKED = /root:.*:0:0|4711|SCRAM-SHA/;
  const state = async () => {
    const { rows } = await owner.query(`
      SELECT (SELECT count(*) FROM people) AS people, (SELECT sum(hashtext(people::text)) FROM people) AS sum,
        (SELECT last_value FROM people_id_seq) AS seq, (SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace) AS relations,
        (SELECT count(*) FROM pg_largeobject_metadata) AS objects, (SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace) AS functions`);
    return rows[0];
  };

  it('change nothing, read no files and no other schemas, and end in time, even if the role has more rights', async () => {
    const before = await state();
    const waiting = [...FORBIDDEN_WRITES, ...FORBIDDEN_READS, ...FORBIDDEN_WAITS];
    const attack = async () => {
      for (let sql = waiting.pop(); sql !== undefined; sql = waiting.pop()) {
        const started = performance.now();
        const outcome = await query(sql);
        expect([sql, outcome.isError]).toEqual([sql, true]);
        expect(outcome.content).not.toMatch(LEAKED);
        expect(performance.now() - started).toBeLessThan(timeLimit(TIMEOUT_MS + GRACE_MS));
      }
    };
    await Promise.all(Array.from({ length: ATTACKS_AT_ONCE }, attack));
    expect(await state()).toEqual(before);
  });

  it('are stopped by the limits if no other layer stops them', async () => {
    const started = performance.now();
    const outcomes = await Promise.all(ENDLESS_QUERIES.map((sql) => query(sql)));
    expect(performance.now() - started).toBeLessThan(timeLimit(TIMEOUT_MS + GRACE_MS));
    for (const { isError, content } of outcomes) expect([isError, content]).toEqual([true, expect.any(String)]);
  });
});
