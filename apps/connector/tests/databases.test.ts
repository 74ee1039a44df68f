import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseServiceDefinition } from '@lectern/contracts';
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
  const made = await client.connectors.createConnector(
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
  connectorId = made.id;
});
afterAll(async () => {
  connection.close();
  await system.stop();
  await shop.drop();
});

describe('the database behind a connector', () => {
  it('is listed, described and asked', async () => {
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

  it('refuses what is no reading, with a sentence', async () => {
    const refusal = { code: 'invalid_request', message: expect.stringContaining('Only SELECT') };
    await expect(query('DELETE FROM orders')).rejects.toMatchObject(refusal);
    const gone = { code: 'not_found', details: { resource: 'table', id: 'nothing' } };
    await expect(databases().describeTables({ connectorId, table: 'nothing' }, callAs(caller))).rejects.toMatchObject(
      gone,
    );
  });

  it('is out of reach for other teams, other collections, and users who are not among its readers', async () => {
    await expect(query('SELECT 1', createCaller())).rejects.toMatchObject({ code: 'not_found' });
    const narrow: Caller = { ...caller, scope: { kind: 'only', ids: [] } };
    await expect(query('SELECT 1', narrow)).rejects.toMatchObject({ code: 'forbidden' });
    expect((await databases().listDatabases({ collectionIds: [] }, callAs(narrow))).databases).toEqual([]);
    const bob: Caller = { ...caller, userEmail: 'bob@example.com' };
    await expect(query('SELECT 1', bob)).rejects.toMatchObject({ code: 'not_found' });
    expect((await databases().listDatabases({ collectionIds: [] }, callAs(bob))).databases).toEqual([]);
    const ada: Caller = { ...caller, userEmail: 'ada@example.com' };
    expect((await query('SELECT 1 AS one', ada)).columns).toEqual(['one']);
  });
});
