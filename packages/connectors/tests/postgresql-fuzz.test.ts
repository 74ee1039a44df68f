import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@lectern/testing';
import fc from 'fast-check';
import pg from 'pg';
import { admitQuery } from '#postgresql/query/admit-query';
import { checkQuery } from '#postgresql/query/check-query';
import { QueryError } from '#postgresql/query/query-error';
import { runQuery } from '#postgresql/query/run-query';
import { createAnalyzer } from './support/executed-functions.ts';
import { addExternalAccess, READABLE_TABLES, SCHEMA_SQL } from './support/sql-database.ts';
import { sqlStatement } from './support/sql-grammar.ts';

/** The number of distinct statements per test. `npm run fuzz:sql` tries 100,000. */
const STATEMENTS = Number(process.env.FUZZ_SQL_STATEMENTS ?? 400);
const SEED = Number(process.env.FUZZ_SQL_SEED ?? 20_261_123);
/** A long run tries each statement in one of the settings, in turn; a short run in all of them. */
const ONE_SETTING_EACH = STATEMENTS > 10_000;
const BATCH_SIZE = 5_000;
const TIMEOUT_MS = 4 * 3_600_000;
const LIMITS = { maxRows: 50, maxBytes: 1_000_000, timeoutMs: 5_000 };
const PASSWORD = 'read-only';
const SECRETS = /471147|root:[^:]*:0:0|SCRAM-SHA/;
/** The content of a table that a superuser can read, but the role cannot. */
const DENIED = /580236/;

let plain: TestDatabase;
let external: TestDatabase;
let owner: pg.Client;
let reader: string;
const open: pg.Client[] = [];

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  open.push(client);
  return client;
};
// In this test the guard's catalog queries always return the same rows.
const CATALOG_QUERIES =
  /^\s*(WITH RECURSIVE reached|SELECT n\.nspname AS schema|SELECT 'The function|SELECT p\.proname AS name)/;
/** Opens a connection that caches catalog queries. */
async function connectWithCache(url: string): Promise<pg.Client> {
  const client = await connect(url);
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const cache = new Map<string, unknown>();
  const cachedQuery = (...args: unknown[]): unknown => {
    if (typeof args[0] !== 'string' || !CATALOG_QUERIES.test(args[0])) return query(...args);
    const key = JSON.stringify(args);
    if (!cache.has(key)) cache.set(key, query(...args));
    return cache.get(key);
  };
  return Object.assign(client, { query: cachedQuery });
}
const urlAs = (url: string, user: string) => url.replace(/\/\/[^@]*@/, `//${user}:${PASSWORD}@`);
const setUp = async (url: string): Promise<pg.Client> => {
  const client = await connect(url);
  await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET track_functions = 'all'`);
  await client.query(SCHEMA_SQL);
  return client;
};

beforeAll(async () => {
  [plain, external] = await Promise.all([testDatabase(), testDatabase()]);
  owner = await setUp(plain.url);
  reader = `reader_${crypto.randomUUID().replaceAll('-', '')}`;
  await owner.query(
    `CREATE ROLE ${reader} LOGIN PASSWORD '${PASSWORD}'; GRANT SELECT ON ${READABLE_TABLES.join(', ')} TO ${reader}`,
  );
  await addExternalAccess(await setUp(external.url));
});
afterAll(async () => {
  await owner.query(`DROP OWNED BY ${reader}; DROP ROLE ${reader}`);
  await Promise.all(open.map((client) => client.end().catch(() => undefined)));
  await Promise.all([plain.drop(), external.drop()]);
});

const report = (line: string) => void process.stderr.write(`${line}\n`);

/** Calls `check` with STATEMENTS distinct statements. fast-check shrinks a failing one. */
async function tryStatements(check: (sql: string) => Promise<void>): Promise<number> {
  const seen = new Set<string>();
  const property = fc.asyncProperty(sqlStatement, async (sql) => {
    if (seen.has(sql)) return;
    seen.add(sql);
    await check(sql);
  });
  for (let seed = SEED; seen.size < STATEMENTS; seed += 1) {
    await fc.assert(property, { seed, numRuns: Math.min(BATCH_SIZE, STATEMENTS - seen.size) });
    report(`${seen.size} of ${STATEMENTS}`);
  }
  return seen.size;
}

/** Returns the statement as it would run, or undefined if the guard rejects it. */
async function admit(client: pg.Client, sql: string) {
  try {
    const query = await checkQuery(sql, 'public');
    await client.query('BEGIN READ ONLY; SET LOCAL search_path = pg_catalog, pg_temp');
    return { query, text: await admitQuery(client, { sql, schema: 'public', query }) };
  } catch (error) {
    // PostgreSQL rejects some names before the guard does.
    if (!(error instanceof QueryError) && !(error instanceof pg.DatabaseError)) throw error;
    return undefined;
  } finally {
    await client.query('ROLLBACK; DEALLOCATE ALL');
  }
}

describe('generated statements', () => {
  it(
    'call only the functions that they name, according to PostgreSQL',
    async () => {
      const client = await connectWithCache(plain.url);
      // The guard's search path, and one in which a missed call would find the functions of public.
      const paths = ['pg_catalog, pg_temp', 'pg_catalog, public'];
      const analyzers = paths.map(async (path) => createAnalyzer(await connect(plain.url), path));
      const [strict, loose] = await Promise.all(analyzers);
      const { rows } = await client.query<{ oid: string }>('SELECT oid::int FROM pg_class WHERE relname = ANY ($1)', [
        [...READABLE_TABLES, 'denied', 'policed'],
      ]);
      const readable = rows.map(({ oid }) => Number(oid));
      const counts = { passed: 0, analyzed: 0 };
      const tried = await tryStatements(async (sql) => {
        const found = await admit(client, sql);
        if (found === undefined) return;
        counts.passed += 1;
        const isKnown = (name: string) => found.query.functions.has(name);
        const [analysis, withPublic] = await Promise.all([strict!(found.text), loose!(found.text)]);
        if (typeof withPublic !== 'string') expect(withPublic.called.filter((name) => !isKnown(name))).toEqual([]);
        if (typeof analysis === 'string') return;
        counts.analyzed += 1;
        expect(analysis.called.filter((name) => !isKnown(name))).toEqual([]);
        expect([analysis.foreign, analysis.nodes]).toEqual([[], []]);
        expect(analysis.relations.filter((oid) => !readable.includes(oid))).toEqual([]);
      });
      report(`layer 1: ${tried} statements, ${counts.passed} passed the guard, ${counts.analyzed} could run`);
      expect(counts.analyzed).toBeGreaterThan(STATEMENTS / 20);
    },
    TIMEOUT_MS,
  );

  it(
    'only read granted tables, as a superuser, as a role, and with dblink and file_fdw',
    async () => {
      const settings = await Promise.all(
        Object.entries({ superuser: plain.url, role: urlAs(plain.url, reader), external: external.url }).map(
          async ([name, url]) => ({ name, client: await connectWithCache(url), passed: 0, ran: 0 }),
        ),
      );
      const states = () => Promise.all([plain, external].map(async ({ url }) => stateOf(url)));
      const before = await states();
      let number = 0;
      const tried = await tryStatements(async (sql) => {
        const query = await checkQuery(sql, 'public').catch((error: unknown) => {
          expect(error).toBeInstanceOf(QueryError);
          return undefined;
        });
        if (query === undefined) return;
        const attack = async (setting: (typeof settings)[number]) => {
          const { client } = setting;
          const admit = async () => {
            const text = await admitQuery(client, { sql, schema: 'public', query });
            setting.passed += 1;
            return text;
          };
          const result = await runQuery(client, { sql, admit, limits: LIMITS }).catch((error: Error) => error.message);
          if (typeof result !== 'string') setting.ran += 1;
          const locks = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()";
          const results: unknown = await client.query(`ROLLBACK; DEALLOCATE ALL; ${locks}`);
          expect(Array.isArray(results) && results[2].rowCount).toBe(0);
          expect(JSON.stringify(result)).not.toMatch(SECRETS);
          if (setting.name === 'role') expect(JSON.stringify(result)).not.toMatch(DENIED);
        };
        number += 1;
        await Promise.all(settings.filter((_, at) => !ONE_SETTING_EACH || number % settings.length === at).map(attack));
      });
      for (const { client } of settings) await client.query('SELECT pg_stat_force_next_flush()').catch(() => undefined);
      const counts = settings.map(({ name, passed, ran }) => `${name}: ${passed} passed, ${ran} ran`);
      report(`layer 2: ${tried} statements; ${counts.join('; ')}`);
      expect(await states()).toEqual(before);
      expect(settings[0]?.ran).toBeGreaterThan(STATEMENTS / 60);
    },
    TIMEOUT_MS,
  );
});

/**
 * Returns the state that no statement may change: rows, sequences, relations, sessions, and the
 * number of function calls in PL/pgSQL, SQL and C. PostgreSQL's own round(numeric) is an SQL
 * function that the guard allows.
 */
async function stateOf(url: string): Promise<unknown> {
  const client = await connect(url);
  const { rows } = await client.query(`
    SELECT (SELECT sum(hashtext(p::text)) FROM people p) AS people, (SELECT sum(hashtext(o::text)) FROM orders o) AS orders,
      (SELECT last_value FROM people_id_seq) AS seq, (SELECT count(*) FROM pg_class) AS relations,
      (SELECT count(*) FROM pg_proc) AS functions, (SELECT count(*) FROM pg_largeobject_metadata) AS objects,
      (SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE l.locktype = 'advisory' AND d.datname = current_database()) AS locks,
      (SELECT json_agg(funcname ORDER BY funcname) FROM pg_stat_user_functions f
        WHERE (schemaname, funcname) <> ('pg_catalog', 'round') AND NOT EXISTS (SELECT FROM pg_depend d
        JOIN pg_extension x ON x.oid = d.refobjid WHERE d.objid = f.funcid AND x.extname = 'citext')) AS calls,
      (SELECT count(*) FROM pg_ls_dir('/tmp') t WHERE t LIKE 'lectern-canary%') AS files`);
  return rows[0];
}
