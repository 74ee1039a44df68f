import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CollectionServiceDefinition, DocumentServiceDefinition, JobStatus } from '@lectern/contracts';
import { connectGrpc, type GrpcConnection } from '@lectern/service-kit';
import {
  type ConfluenceServer,
  callAs,
  startConfluenceServer,
  startTestService,
  type TestQdrant,
  type TestService,
  testQdrant,
  waitUntil,
} from '@lectern/testing';
import { type ConnectorClient, hasEnded } from '../support/connector-client.ts';
import { startSystem, type TestSystem } from '../support/start-system.ts';

// Two sites of one type, each with a separate group `admins`, through the connector and the
// collection service.
const MIGRATION = '20261122110000_groups_of_sites';
const PEOPLE = ['ada', 'bob'] as const;

let sites: ConfluenceServer[];
let qdrant: TestQdrant;
let collection: TestService;
let system: TestSystem;
let client: ConnectorClient;
let connection: GrpcConnection;
let collectionId: string;
const connectors: string[] = [];

beforeAll(async () => {
  sites = await Promise.all(PEOPLE.map(() => startConfluenceServer()));
  for (const [at, { model }] of sites.entries()) {
    model.addAccount('account', PEOPLE[at]!, `${PEOPLE[at]}@example.com`);
    model.addGroup('admins', 'admins', ['account']);
    model.addSpace('DOCS', { readers: { groups: ['admins'] } });
    model.addPage('DOCS', `The page of ${PEOPLE[at]}`, { storage: '<p>For administrators.</p>' });
  }
  qdrant = await testQdrant();
  system = await startSystem({
    env: { EGRESS_ALLOW: '127.0.0.1' },
    startCollection: async (engines) => {
      collection = await startTestService('collection', { ...engines, QDRANT_URL: qdrant.url, LOG_LEVEL: 'error' });
      return collection.address;
    },
  });
  client = system.client;
  connection = connectGrpc(collection.address);
  const collections = connection.client(CollectionServiceDefinition);
  collectionId = (await collections.createCollection({ name: 'Both sites' }, client.as())).id;
  for (const { instanceUrl, email, apiToken } of sites) {
    const config = { instanceUrl, spaceKeys: ['DOCS'] };
    const fields = { name: 'Site', type: 'confluence', collectionId, config, credentials: { email, apiToken } };
    connectors.push((await client.connectors.createConnector(fields, client.as())).id);
  }
});
afterAll(async () => {
  connection?.close();
  await system?.stop();
  await collection?.stop();
  await Promise.all([qdrant?.stop(), ...sites.map((site) => site.stop())]);
});

/** Returns the titles of the documents that a user can read. */
async function titlesFor(person: string): Promise<string[]> {
  const as = callAs({ ...client.caller, userEmail: `${person}@example.com` });
  const { documents } = await connection
    .client(DocumentServiceDefinition)
    .listDocuments({ collectionId, page: { page: 1, limit: 100 } }, as);
  return documents.map(({ title }) => title).sort();
}

async function refreshes() {
  const lists = connectors.map((connectorId) => client.syncs.listJobs({ connectorId, page: undefined }, client.as()));
  return (await Promise.all(lists)).flatMap(({ jobs }) => jobs).filter(({ kind }) => kind === 2);
}

/** Applies the migration of a service in its schema, like the next start. */
async function migrate(app: string) {
  const file = new URL(`../../../${app}/prisma/migrations/${MIGRATION}/migration.sql`, import.meta.url);
  const sql = (await readFile(file, 'utf8')).replace(/^--.*$/gm, '');
  await system.rows(sql.replace(/(UPDATE|FROM) "(\w+)"/g, `$1 "${app}"."$2"`));
}

describe('a group with the same name in two sites', () => {
  it('is separate for each site', async () => {
    for (const connectorId of connectors) {
      const { id } = await client.sync(connectorId);
      expect(await client.ended(connectorId, id)).toMatchObject({ status: JobStatus.COMPLETED });
    }
    for (const person of PEOPLE) expect(await titlesFor(person)).toEqual([`The page of ${person}`]);
  });

  it('is separated when an older installation is updated', async () => {
    await system.rows(`DELETE FROM collection.groups`);
    for (const [at, connectorId] of connectors.entries()) {
      const values = [connectorId, client.caller.teamId];
      await system.rows(`INSERT INTO collection.groups VALUES ($1, 'group:confluence:admins', $2, 'old')`, ...values);
      await system.rows(
        `INSERT INTO collection.group_members VALUES ($1, 'group:confluence:admins', $3, $2)`,
        ...values,
        `user:${PEOPLE[at]}@example.com`,
      );
    }
    await system.rows(`UPDATE collection.documents SET principals = ARRAY['group:confluence:admins']`);
    // If two connectors import the same group, the newest import counts, which is Bob's.
    expect(await Promise.all(PEOPLE.map(titlesFor))).toMatchObject([{ length: 0 }, { length: 2 }]);

    await migrate('collection');
    for (const person of PEOPLE) expect(await titlesFor(person)).toEqual([]);
    await migrate('connector');
    await waitUntil(async () => (await refreshes()).filter(hasEnded).length === 2, {
      what: 'permissions to be refreshed',
      timeoutMs: 120_000,
    });
    for (const person of PEOPLE) expect(await titlesFor(person)).toEqual([`The page of ${person}`]);
  });
});

describe('a group', () => {
  const groupsOf = (connectorId: string) =>
    system.rows(`SELECT principal FROM collection.groups WHERE connector_id = $1`, connectorId);

  it('loses the members that its site removes and regains those that it adds again', async () => {
    const [site] = sites;
    const [connectorId] = connectors;
    const refresh = async () => {
      const { job } = await client.syncs.startPermissionRefresh({ connectorId: connectorId! }, client.as());
      return client.ended(connectorId!, job!.id);
    };
    const model = site!.model;
    model.addGroup('admins', 'admins', []);
    expect(await refresh()).toMatchObject({ status: JobStatus.COMPLETED });
    expect(await titlesFor('ada')).toEqual([]);
    model.addGroup('admins', 'admins', ['account']);
    expect(await refresh()).toMatchObject({ status: JobStatus.COMPLETED });
    expect(await titlesFor('ada')).toEqual(['The page of ada']);
  });

  it('is deleted with its connector, even if the documents are kept', async () => {
    const [connectorId] = connectors;
    expect(await groupsOf(connectorId!)).not.toEqual([]);
    await client.connectors.deleteConnector({ id: connectorId!, keepDocuments: true }, client.as());
    expect(await groupsOf(connectorId!)).toEqual([]);
    expect(await titlesFor('ada')).toEqual([]);
  });

  it('is removed by the sweeper if its connector was deleted earlier', async () => {
    const orphan = 'con_00000000000000000000000000';
    await system.rows(
      `INSERT INTO collection.groups VALUES ($1, 'group:confluence:old/admins', $2, 'old')`,
      orphan,
      client.caller.teamId,
    );
    await waitUntil(async () => (await groupsOf(orphan)).length === 0, {
      what: 'the groups to be removed',
      timeoutMs: 30_000,
    });
    expect(await groupsOf(connectors[1]!)).not.toEqual([]);
  });
});
