import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@lectern/testing';
import pg from 'pg';
import { admitQuery } from '#postgresql/query/admit-query';
import { checkQuery } from '#postgresql/query/check-query';
import { QueryError } from '#postgresql/query/query-error';
import { runQuery } from '#postgresql/query/run-query';
import { LEGITIMATE_QUERIES } from './support/legitimate-queries.ts';
import { addExternalAccess, FORBIDDEN_TABLES, SCHEMA_SQL } from './support/sql-database.ts';

const LIMITS = { maxRows: 20, maxBytes: 1_000_000, timeoutMs: 30_000 };

let database: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  database = await testDatabase();
  owner = new pg.Client(database.url);
  await owner.connect();
  await owner.query(SCHEMA_SQL);
  await addExternalAccess(owner);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

/**
 * Runs a query like the connector, as the superuser. Fails if it called a function of the database.
 */
async function run(sql: string, url = database.url) {
  const query = await checkQuery(sql, 'public');
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const admit = () => admitQuery(client, { sql, schema: 'public', query });
    return await runQuery(client, { sql, admit, limits: LIMITS });
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
    const { rows } = await client.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()");
    expect(rows).toEqual([]);
    await client.end();
  }
}

/** Function calls without parentheses, and other queries that run code or read other tables. */
const ATTACKS: readonly string[] = [
  "SELECT ('/etc/hostname'::text).pg_read_file",
  'SELECT (3.0::float8).pg_sleep',
  "SELECT ('SELECT 1'::text).dblink_exec",
  "SELECT ('dbname=postgres'::text).dblink_connect",
  'SELECT p.salary_of FROM people p',
  'SELECT people.salary_of FROM people',
  'SELECT public.people.salary_of FROM people',
  'SELECT (p).salary_of FROM people p',
  'SELECT (people).leak FROM people',
  'SELECT (p.name).salary_of FROM people p',
  'SELECT (name).leak FROM people',
  'SELECT (p.address).leak FROM people p',
  "SELECT ((SELECT '/etc/hostname'::text)).pg_read_file",
  "SELECT (ARRAY['/etc/hostname'::text])[1].pg_read_file",
  'SELECT (ROW(1)).to_json',
  'SELECT p.to_json FROM people p',
  'SELECT s.row_to_json FROM (SELECT 1 AS a) s',
  'SELECT x.leak FROM (SELECT p AS salary_of FROM people p) x',
  'SELECT salary_of.salary_of FROM people p, unnest(ARRAY[p]) AS salary_of',
  'SELECT v.leak FROM jsonb_array_elements($$[1]$$) AS v',
  "SELECT pg_read_file.pg_read_file FROM unnest(ARRAY['/etc/hostname']) AS pg_read_file",
  'WITH people AS (SELECT 1 AS a) SELECT people.salary_of FROM people',
  'WITH x AS (SELECT p.salary_of FROM people p) SELECT 1',
  'SELECT (SELECT p.salary_of FROM orders p LIMIT 1) FROM people p',
  'SELECT 1 FROM people p, (SELECT p.born FROM (SELECT 1) p) q',
  'SELECT 1 FROM people p ORDER BY p.leak',
  'SELECT 1 FROM people p GROUP BY p.leak',
  'SELECT count(*) FILTER (WHERE p.leak IS NULL) FROM people p',
  'SELECT sum(1) OVER (ORDER BY p.leak) FROM people p',
  'SELECT 1 FROM people p LIMIT (SELECT (q).leak FROM people q LIMIT 1)',
  'SELECT 1 FROM people p JOIN people q ON p.leak IS NULL',
  'SELECT U&"p"."salary\\005fof" FROM people p',
  "SELECT 1 FROM people p WHERE 'active' OPERATOR(public.=) p.status",
  'SELECT 1 OPERATOR(public.===) ANY (SELECT 1)',
  'SELECT 1 OPERATOR(public.===) 2',
  'SELECT 1 === 2',
  'SELECT id FROM people ORDER BY id USING OPERATOR(public.===)',
  "SELECT 'x'::trap",
  "SELECT 'x'::public.trap",
  "SELECT 'people'::regclass",
  "SELECT pg_typeof(1) = 'people'",
  'SELECT gather(name) FROM people',
  'SELECT public.gather(name) OVER () FROM people',
  "SELECT ts || '{x}' FROM trapped",
  'SELECT * FROM passwords',
  'SELECT * FROM parted',
  'SELECT * FROM parted_file',
  'SELECT * FROM parent',
  'SELECT * FROM heir',
  'SELECT * FROM over_file',
  'SELECT * FROM programs',
  'SELECT * FROM events_2024',
  'SELECT * FROM people_id_seq',
  'SELECT * FROM people_pkey',
  'SELECT * FROM pg_authid',
  'SELECT * FROM pg_catalog.pg_authid',
  'SELECT * FROM information_schema.tables',
  'WITH pg_authid AS (SELECT * FROM pg_authid) SELECT * FROM pg_authid',
  'SELECT p.ctid FROM people p',
  'SELECT xmin FROM people',
  'SELECT tableoid FROM people',
  'SELECT CURRENT_USER',
  'SELECT $1',
  'SELECT * FROM people TABLESAMPLE system (50)',
  "SELECT * FROM XMLTABLE('/a' PASSING '<a/>' COLUMNS a text PATH '.') x",
  "SELECT JSON_VALUE('{}', '$.a')",
  'SELECT id FROM people FOR UPDATE',
  'SELECT COLLATION FOR (name) FROM people',
  ...FORBIDDEN_TABLES.map((table) => `SELECT * FROM ${table}`),
  ...FORBIDDEN_TABLES.map((table) => `SELECT count(*) FROM ${table} WHERE EXISTS (TABLE ${table})`),
];

describe('the SQL guard', () => {
  it.each(LEGITIMATE_QUERIES)('accepts %s', async (sql) => {
    expect((await run(sql)).columns).not.toHaveLength(0);
  });

  it.each(ATTACKS)('rejects %s', async (sql) => {
    await expect(run(sql)).rejects.toBeInstanceOf(QueryError);
  });

  it('calls no overload of a function or operator in the schema', async () => {
    // Both exist in public with arguments that fit better.
    await expect(run('SELECT lower(p) FROM people p')).rejects.toThrow('function lower(public.people) does not exist');
    expect((await run("SELECT count(*) FROM people WHERE name = 'Person 1'")).rows).toEqual([['1']]);
    expect((await run("SELECT count(*) FROM people WHERE status = 'active'")).rows).toEqual([['5']]);
  });

  it('accepts views that use operators of an extension, unless these are overloaded', async () => {
    expect((await run('SELECT label FROM labeled')).rows).toEqual([['001-Ann@example.com']]);
    await owner.query('CREATE OPERATOR public.~ (LEFTARG = people, RIGHTARG = people, FUNCTION = sneak_people)');
    await expect(run('SELECT id FROM contacts')).rejects.toThrow('The operator public.~');
    await owner.query('DROP OPERATOR public.~ (people, people)');
    await owner.query(`CREATE VIEW linked AS SELECT dblink_connect('dbname=postgres') AS opened`);
    await expect(run('SELECT opened FROM linked')).rejects.toThrow('The function public.dblink_connect');
  });

  it('rejects a function of pg_catalog that was overloaded or replaced', async () => {
    await owner.query(`SET allow_system_table_mods = on;
      CREATE FUNCTION pg_catalog.upper(people) RETURNS text LANGUAGE sql AS $$SELECT 'x'$$`);
    await expect(run('SELECT upper(name) FROM people')).rejects.toThrow(
      'The function upper has been replaced or overloaded',
    );
    expect((await run('SELECT lower(name) FROM people')).rows).toHaveLength(5);
    await owner.query('DROP FUNCTION pg_catalog.upper(people)');
    expect((await run('SELECT upper(name) FROM people')).rows).toHaveLength(5);
  });

  it('rejects queries after a cast between built-in types was added', async () => {
    await owner.query(`CREATE FUNCTION to_text(date) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
      CREATE CAST (date AS int) WITH FUNCTION to_text(date) AS IMPLICIT`);
    await expect(run('SELECT 1')).rejects.toThrow('A cast to integer has been replaced or overloaded');
    await owner.query('DROP CAST (date AS int)');
  });

  it('rejects generated columns and policies that call functions, and accepts others', async () => {
    await owner.query(`CREATE TABLE computed (a int, b int GENERATED ALWAYS AS (a * 2) STORED);
      CREATE TABLE ruled (a int); ALTER TABLE ruled ENABLE ROW LEVEL SECURITY; ALTER TABLE ruled FORCE ROW LEVEL SECURITY;
      CREATE POLICY ruled ON ruled USING (a > 0 AND current_setting('app.user', true) IS NULL)`);
    expect((await run('SELECT b FROM computed')).rows).toEqual([]);
    expect((await run('SELECT a FROM ruled')).rows).toEqual([]);
    await owner.query('CREATE VIEW owned AS SELECT * FROM policed');
    await expect(run('SELECT * FROM owned')).rejects.toThrow('policy');
    // Policies apply to a role, but not to a superuser.
    expect((await run('SELECT * FROM policed')).rows).toEqual([['1', 'x']]);
    const role = `reader_${crypto.randomUUID().replaceAll('-', '')}`;
    await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x'; GRANT SELECT ON policed, people TO ${role}`);
    const url = database.url.replace(/\/\/[^@]*@/, `//${role}:x@`);
    await expect(run('SELECT * FROM policed', url)).rejects.toThrow('policy');
    expect((await run('SELECT p.name FROM people p', url)).rows).toHaveLength(5);
    await expect(run('SELECT * FROM denied', url)).rejects.toThrow('no permission to read');
    await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  it('locks a checked table, so that its columns cannot be dropped during the query', async () => {
    await owner.query("CREATE TABLE moving (id int, leak text); INSERT INTO moving VALUES (1, 'x')");
    const sql = 'SELECT m.leak FROM moving m';
    const query = await checkQuery(sql, 'public');
    const client = new pg.Client(database.url);
    await client.connect();
    await owner.query("SET lock_timeout = '200ms'");
    const admit = async () => {
      const text = await admitQuery(client, { sql, schema: 'public', query });
      await expect(owner.query('ALTER TABLE moving DROP COLUMN leak')).rejects.toMatchObject({ code: '55P03' });
      return text;
    };
    expect((await runQuery(client, { sql, admit, limits: LIMITS })).rows).toEqual([['x']]);
    await client.end();
  });

  it('survives statements of any depth and length', async () => {
    const deep = [
      `SELECT ${'('.repeat(4_900)}1${')'.repeat(4_900)}`,
      `SELECT ${'- '.repeat(4_900)}1`,
      `SELECT ${'NOT '.repeat(2_000)}true`,
      `SELECT 1${' + 1'.repeat(2_000)}`,
      `SELECT ${'ARRAY['.repeat(1_000)}1${']'.repeat(1_000)}`,
      `${'SELECT ('.repeat(1_000)}SELECT 1${')'.repeat(1_000)}`,
      `SELECT * FROM ${'('.repeat(1_500)}people${')'.repeat(1_500)}`,
      `SELECT ${'x'.repeat(9_900)}`,
      `SELECT (a${'[1]'.repeat(3_000)}) FROM people`,
    ];
    for (let round = 0; round < 20; round += 1) {
      for (const sql of deep)
        await checkQuery(sql, 'public').catch((error) => expect(error).toBeInstanceOf(QueryError));
      await checkQuery('SELECT 1', 'public');
    }
    await expect(checkQuery(`SELECT '${'x'.repeat(10_000)}'`, 'public')).rejects.toThrow('longer than');
    await expect(checkQuery("SELECT '\uD800'", 'public')).rejects.toThrow('Unicode');
  });
});
