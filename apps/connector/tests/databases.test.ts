import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseServiceDefinition, JobStatus } from '@lectern/contracts';
import { type Caller, connectGrpc, type GrpcConnection, newId } from '@lectern/service-kit';
import { callAs, createCaller, type TestDatabase, testDatabase } from '@lectern/testing';
import pg from 'pg';
import { startSystem, type TestSystem } from './support/start-system.ts';

let system: TestSystem;
let shop: TestDatabase;
let connection: GrpcConnection;
let connectorId: string;
const caller = createCaller();

const databases = () => connection.client(DatabaseServiceDefinition);
const query = (sql: string, by: Caller = caller) => databases().queryDatabase({ connectorId, sql }, callAs(by));

beforeAll(async () => {
  [system, shop] = await Promise.all([startSystem({ env: { EGRESS_ALLOW: '127.0.0.1,localhost' } }), testDatabase()]);
  const owner = new pg.Client(shop.url);
  await owner.connect();
  await owner.query(`CREATE TABLE orders (id int PRIMARY KEY, item text, paid numeric);
    INSERT INTO orders VALUES (1, 'Chair', 120.5), (2, 'Desk', NULL)`);
  await owner.end();
  connection = connectGrpc(system.address);
  const url = new URL(shop.url);
  const collectionId = newId('collection');
  system.collection.collections.add(collectionId);
  const client = system.clientOf(caller);
  const connector = await client.connectors.createConnector(
    {
      name: 'Shop',
      type: 'postgresql',
      collectionId,
      config: {
        host: url.hostname,
        port: Number(url.port),
        database: url.pathname.slice(1),
        sslMode: 'disable',
        principals: ['user:ada@example.com'],
      },
      credentials: { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
    },
    client.as(),
  );
  connectorId = connector.id;
});
afterAll(async () => {
  connection.close();
  await system.stop();
  await shop.drop();
});

describe('the database behind a connector', () => {
  it('is listed, described and queried', async () => {
    const { databases: listed } = await databases().listDatabases({ collectionIds: [] }, callAs(caller));
    expect(listed).toEqual([expect.objectContaining({ connectorId, name: 'Shop', schema: 'public' })]);
    const { tables } = await databases().describeTables({ connectorId }, callAs(caller));
    expect(tables).toEqual([expect.objectContaining({ name: 'orders', primaryKey: ['id'] })]);
    expect(await query('SELECT item, paid FROM orders ORDER BY id')).toEqual({
      columns: ['item', 'paid'],
      rows: [{ values: [{ text: 'Chair' }, { text: '120.5' }] }, { values: [{ text: 'Desk' }, {}] }],
      truncated: false,
    });
  });

  it('rejects statements that are not read-only, with a message', async () => {
    const rejection = { code: 'invalid_request', message: expect.stringContaining('Only SELECT') };
    await expect(query('DELETE FROM orders')).rejects.toMatchObject(rejection);
    const notFound = { code: 'not_found', details: { resource: 'table', id: 'nothing' } };
    await expect(databases().describeTables({ connectorId, table: 'nothing' }, callAs(caller))).rejects.toMatchObject(
      notFound,
    );
  });

  it('is hidden from other teams, other collections and users without access', async () => {
    await expect(query('SELECT 1', createCaller())).rejects.toMatchObject({ code: 'not_found' });
    const restricted: Caller = { ...caller, scope: { kind: 'only', ids: [] } };
    await expect(query('SELECT 1', restricted)).rejects.toMatchObject({ code: 'forbidden' });
    expect((await databases().listDatabases({ collectionIds: [] }, callAs(restricted))).databases).toEqual([]);
    const bob: Caller = { ...caller, userEmail: 'bob@example.com' };
    await expect(query('SELECT 1', bob)).rejects.toMatchObject({ code: 'not_found' });
    expect((await databases().listDatabases({ collectionIds: [] }, callAs(bob))).databases).toEqual([]);
    const ada: Caller = { ...caller, userEmail: 'ada@example.com' };
    expect((await query('SELECT 1 AS one', ada)).columns).toEqual(['one']);
    // Its rows have no fields that the filters of a user token could compare.
    const filtered: Caller = { ...ada, filters: { type: 'pdf' } };
    await expect(query('SELECT 1', filtered)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the rows of a database', () => {
  const reader = `reader_${crypto.randomUUID().replaceAll('-', '')}`;
  let owner: pg.Client;
  let collectionId: string;
  let id: string;
  const client = () => system.clientOf(caller);
  const live = () => system.collection.live(id).map(({ externalId }) => externalId);
  const sync = async () => {
    const job = await client().sync(id);
    return client().ended(id, job.id);
  };

  beforeAll(async () => {
    owner = new pg.Client(shop.url);
    await owner.connect();
    await owner.query(`CREATE SCHEMA rows; CREATE TABLE rows.kept (id int PRIMARY KEY); INSERT INTO rows.kept VALUES (1);
      CREATE TABLE rows.withdrawn (id int PRIMARY KEY); INSERT INTO rows.withdrawn VALUES (1), (2);
      CREATE TABLE rows.named (key text PRIMARY KEY, body text); INSERT INTO rows.named VALUES ('', 'Of nothing'), ('a', 'Of a');
      CREATE ROLE ${reader} LOGIN PASSWORD 'pw'; GRANT USAGE ON SCHEMA rows TO ${reader}; GRANT SELECT ON ALL TABLES IN SCHEMA rows TO ${reader}`);
    const url = new URL(shop.url);
    collectionId = newId('collection');
    system.collection.collections.add(collectionId);
    const config = { host: url.hostname, port: Number(url.port), database: url.pathname.slice(1), schema: 'rows' };
    const credentials = { user: reader, password: 'pw' };
    const fields = { name: 'Rows', type: 'postgresql', collectionId, config, credentials };
    id = (await client().connectors.createConnector(fields, client().as())).id;
  });
  afterAll(async () => {
    await owner.query(`DROP OWNED BY ${reader}; DROP ROLE ${reader}`);
    await owner.end();
  });

  it('are indexed, including one whose only key is the empty string', async () => {
    expect(await sync()).toMatchObject({ status: JobStatus.COMPLETED });
    const ids = ['rows.kept.1', 'rows.named.', 'rows.named.a', 'rows.withdrawn.1', 'rows.withdrawn.2'];
    expect(live().toSorted()).toEqual(ids);
  });

  it('stay in the index if their table is no longer readable, while other tables are synced', async () => {
    await owner.query(
      `REVOKE SELECT ON rows.withdrawn FROM ${reader}; INSERT INTO rows.kept VALUES (2); DELETE FROM rows.named WHERE key = 'a'`,
    );
    const job = await sync();
    expect(job).toMatchObject({ status: JobStatus.COMPLETED_WITH_ERRORS });
    const ids = ['rows.kept.1', 'rows.kept.2', 'rows.named.', 'rows.withdrawn.1', 'rows.withdrawn.2'];
    expect(live().toSorted()).toEqual(ids);
    await owner.query(`GRANT SELECT ON rows.withdrawn TO ${reader}; DELETE FROM rows.withdrawn WHERE id = 2`);
    expect(await sync()).toMatchObject({ status: JobStatus.COMPLETED });
    expect(live()).not.toContain('rows.withdrawn.2');
  });

  it.each([
    [{ sslMode: 'disable' }],
    [{ database: 'postgres' }],
    [{ schema: 'public' }],
    [{ schema: null }],
    [{ host: 'localhost' }],
    [{ port: 5433 }],
  ])('are not read with the stored credentials after a change to %j', async (config) => {
    const changed = client().connectors.updateConnector({ id, config }, client().as());
    await expect(changed).rejects.toMatchObject({ details: { issues: [{ path: 'credentials' }] } });
  });
});
