import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createDatabase, type Engine, ensureServiceRoles, serviceRoleUrl, startPostgres } from '#index';
import { scratchFolder } from './support/scratch.ts';

const SCHEMAS = ['gateway', 'chat', 'agent'];
const PASSWORDS = Object.fromEntries(SCHEMAS.map((schema) => [schema, `it's "${schema}" \\ $roles$ :@/%?#`]));
const DENIED = /permission denied|must be|only roles with/i;

const scratch = scratchFolder();
let server: Engine;

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const urlOf = (schema: string, url = server.url) => serviceRoleUrl(url, schema, PASSWORDS[schema]!);

/** Every kind of object that the database of an earlier version contains, owned by the superuser. */
const objectsOf = (schema: string) => `
  CREATE SCHEMA ${schema};
  CREATE TYPE ${schema}.state AS ENUM ('on', 'off');
  CREATE DOMAIN ${schema}.email AS text CHECK (VALUE LIKE '%@%');
  CREATE TYPE ${schema}.pair AS (a int, b int);
  CREATE TYPE ${schema}.span AS RANGE (subtype = int4);
  CREATE SEQUENCE ${schema}.loose;
  CREATE TABLE ${schema}."Odd ""name" (id serial PRIMARY KEY, number int GENERATED ALWAYS AS IDENTITY, state ${schema}.state);
  CREATE TABLE ${schema}.parted (id int) PARTITION BY RANGE (id);
  CREATE TABLE ${schema}.part PARTITION OF ${schema}.parted FOR VALUES FROM (0) TO (10);
  CREATE UNLOGGED TABLE ${schema}.bucket (id int PRIMARY KEY, value text);
  CREATE INDEX ON ${schema}.bucket (value);
  CREATE VIEW ${schema}.shown AS SELECT 1 AS n;
  CREATE MATERIALIZED VIEW ${schema}.kept AS SELECT 1 AS n;
  CREATE FUNCTION ${schema}.twice(n int) RETURNS int LANGUAGE sql AS 'SELECT n * 2';
  CREATE PROCEDURE ${schema}.work() LANGUAGE sql AS 'SELECT 1';
  INSERT INTO ${schema}."Odd ""name" (state) VALUES ('on');
  INSERT INTO ${schema}.bucket VALUES (1, 'secret of ${schema}');`;

beforeAll(async () => {
  server = await startPostgres({ dataDir: join(scratch.path, 'roles'), durable: false });
  await createDatabase(server.url, 'other');
  for (const schema of SCHEMAS.slice(0, 2)) await query(server.url, objectsOf(schema));
  await ensureServiceRoles(server.url, PASSWORDS);
});
afterAll(async () => {
  await server.stop();
  scratch.remove();
});

describe('ensureServiceRoles', () => {
  it('gives each role its schema with the objects of an earlier version, and keeps the data', async () => {
    const owners = await query(
      server.url,
      `SELECT nspname AS schema, relname AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
        WHERE nspname IN ('gateway', 'chat') AND relowner::regrole::text <> 'lectern_' || nspname
      UNION ALL SELECT nspname, typname FROM pg_type JOIN pg_namespace n ON n.oid = typnamespace
        WHERE nspname IN ('gateway', 'chat') AND typowner::regrole::text <> 'lectern_' || nspname
      UNION ALL SELECT nspname, proname FROM pg_proc JOIN pg_namespace n ON n.oid = pronamespace
        WHERE nspname IN ('gateway', 'chat') AND proowner::regrole::text <> 'lectern_' || nspname
          -- The constructors of a range type keep their owner.
          AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'i')`,
    );
    expect(owners).toEqual([]);
    for (const schema of SCHEMAS.slice(0, 2)) {
      const url = urlOf(schema);
      expect(await query(url, `SELECT value FROM ${schema}.bucket`)).toEqual([{ value: `secret of ${schema}` }]);
      await query(url, `INSERT INTO ${schema}."Odd ""name" (state) VALUES ('off')`);
      await query(url, `ALTER TABLE ${schema}.bucket ADD COLUMN more int; ALTER TYPE ${schema}.state ADD VALUE 'idle'`);
      await query(url, `CREATE TABLE ${schema}.later (id int); DROP TABLE ${schema}.later`);
    }
  });

  it('changes only passwords when it runs again', async () => {
    await ensureServiceRoles(server.url, { ...PASSWORDS, agent: 'another one' });
    await expect(query(urlOf('agent'), 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    await ensureServiceRoles(server.url, PASSWORDS);
    await query(urlOf('agent'), 'CREATE TABLE agent.note (id int)');
  });

  it('revokes privileges that were granted manually', async () => {
    await query(server.url, 'ALTER ROLE lectern_agent SUPERUSER CREATEDB CREATEROLE REPLICATION BYPASSRLS');
    await ensureServiceRoles(server.url, PASSWORDS);
    const [role] = await query(
      server.url,
      `SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls AS has FROM pg_roles WHERE rolname = 'lectern_agent'`,
    );
    expect(role).toEqual({ has: false });
  });
});

describe('an administrator without superuser rights', () => {
  it('creates the roles in its own database with existing objects', async () => {
    await query(server.url, `CREATE ROLE admin LOGIN CREATEROLE PASSWORD 'admin'`);
    await createDatabase(server.url, 'managed');
    await query(server.url, 'ALTER DATABASE managed OWNER TO admin');
    const url = new URL(server.url);
    url.pathname = '/managed';
    url.username = 'admin';
    url.password = 'admin';
    await query(url.href, objectsOf('shop'));
    const passwords = { shop: 'a password', stock: 'another' };
    for (let time = 0; time < 2; time += 1) await ensureServiceRoles(url.href, passwords);
    const own = serviceRoleUrl(url.href, 'shop', passwords.shop);
    expect(await query(own, 'SELECT value FROM shop.bucket')).toEqual([{ value: 'secret of shop' }]);
    await query(own, 'CREATE TABLE shop.later (id int)');
    const other = serviceRoleUrl(url.href, 'stock', passwords.stock);
    await query(other, 'CREATE TABLE stock.later (id int)');
    await expect(query(other, 'SELECT * FROM shop.bucket')).rejects.toThrow(DENIED);
    for (const schema of ['shop', 'stock'] as const)
      await expect(query(serviceRoleUrl(server.url, schema, passwords[schema]), 'SELECT 1')).rejects.toThrow(DENIED);
  });
});

describe("a service's role", () => {
  const others = SCHEMAS.flatMap((own) =>
    SCHEMAS.filter((other) => other !== own).map((other) => [own, other] as const),
  );

  it.each(others)('cannot access the schema of another service (role of %s, schema of %s)', async (own, other) => {
    for (const statement of [
      `SELECT * FROM ${other}.bucket`,
      `INSERT INTO ${other}.bucket VALUES (2)`,
      `TRUNCATE ${other}.bucket`,
      `DROP TABLE ${other}.bucket`,
      `SELECT ${other}.twice(1)`,
      `CREATE TABLE ${other}.mine (id int)`,
      `DROP SCHEMA ${other} CASCADE`,
      `ALTER SCHEMA ${other} OWNER TO lectern_${own}`,
      `GRANT lectern_${other} TO lectern_${own}`,
      `SET ROLE lectern_${other}`,
      `SET SESSION AUTHORIZATION lectern_${other}`,
      `ALTER ROLE lectern_${other} PASSWORD 'mine'`,
      `COPY ${other}.bucket TO STDOUT`,
    ])
      await expect(query(urlOf(own), statement)).rejects.toThrow(DENIED);
  });

  it.each(SCHEMAS)('has no rights on the server: %s', async (schema) => {
    const url = urlOf(schema);
    for (const statement of [
      `SELECT pg_read_file('PG_VERSION')`,
      `SELECT pg_read_binary_file('PG_VERSION')`,
      `SELECT pg_ls_dir('.')`,
      `SELECT lo_import('/etc/hostname')`,
      `COPY (SELECT 1) TO PROGRAM 'id'`,
      `COPY (SELECT 1) TO '/tmp/lectern-role'`,
      `SELECT * FROM pg_authid`,
      `SELECT * FROM pg_shadow`,
      'SELECT * FROM pg_hba_file_rules',
      'CREATE SCHEMA mine',
      'CREATE TABLE public.mine (id int)',
      `CREATE EXTENSION pg_trgm SCHEMA ${schema}`,
      'CREATE DATABASE mine',
      'CREATE ROLE mine',
      'CREATE TEMP TABLE mine (id int)',
      'SET ROLE postgres',
      `ALTER ROLE lectern_${schema} SUPERUSER`,
      `ALTER SYSTEM SET work_mem = '1GB'`,
      'SELECT pg_reload_conf()',
      `SELECT pg_create_physical_replication_slot('mine')`,
    ])
      await expect(query(url, statement)).rejects.toThrow(DENIED);
    for (const database of ['postgres', 'template1', 'other']) {
      const elsewhere = new URL(url);
      elsewhere.pathname = `/${database}`;
      await expect(query(elsewhere.href, 'SELECT 1')).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('cannot see the queries of others', async () => {
    const busy = new pg.Client({ connectionString: urlOf('gateway') });
    await busy.connect();
    try {
      await busy.query(`SELECT 'query of the gateway'`);
      const rows = await query(urlOf('chat'), `SELECT query FROM pg_stat_activity WHERE usename = 'lectern_gateway'`);
      expect(JSON.stringify(rows)).not.toContain('query of the gateway');
    } finally {
      await busy.end();
    }
  });
});
