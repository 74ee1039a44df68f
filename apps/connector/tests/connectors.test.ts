import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectorTypes } from '@lectern/connectors';
import { ConnectorStatus, JobStatus } from '@lectern/contracts';
import { collectionDeleted, createMessaging, syncItem } from '@lectern/messaging';
import { createLogger, newId } from '@lectern/service-kit';
import { callAs, createCaller, waitUntil } from '@lectern/testing';
import { type ConnectorClient, newCollection } from './support/connector-client.ts';
import { createScriptedSource } from './support/scripted-source.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

const source = createScriptedSource();
let system: TestSystem;
let client: ConnectorClient;
let collectionId: string;

beforeAll(async () => {
  system = await startSystem({ overrides: { types: [...connectorTypes, source.type] } });
});
afterAll(() => system.stop());
beforeEach(() => {
  client = system.clientOf(createCaller());
  system.collection.beforeIndex = async () => undefined;
  collectionId = newCollection(system.collection.collections);
});

const create = (fields: {
  id?: string;
  name?: string;
  type?: string;
  collectionId?: string;
  config?: object;
  credentials?: object;
}) => client.connectors.createConnector({ name: 'Files', type: 'upload', collectionId, ...fields }, client.as());
const get = (id: string) => client.connectors.getConnector({ id }, client.as());

describe('a connector', () => {
  it('is created once for a chosen id', async () => {
    const id = newId('connector');
    const attempts = [await create({ id }), await create({ id })];
    expect(attempts.map((connector) => connector.id)).toEqual([id, id]);
    expect((await client.connectors.listConnectors({}, client.as())).page?.total).toBe(1);
  });

  it('is created, read, listed and updated', async () => {
    const created = await create({ name: '  Handbook ', config: { principals: ['public'] } });
    expect(created).toMatchObject({
      name: 'Handbook',
      type: 'upload',
      collectionId,
      status: ConnectorStatus.ACTIVE,
      config: { principals: ['public'] },
      lastSync: undefined,
      createdAt: expect.any(Date),
    });
    expect(await get(created.id)).toEqual(created);
    const other = await create({ name: 'Other' });
    const { connectors, page } = await client.connectors.listConnectors({ page: { page: 1, limit: 1 } }, client.as());
    expect(connectors.map(({ id }) => id)).toEqual([other.id]);
    expect(page).toEqual({ page: 1, limit: 1, total: 2, hasMore: true });
    const renamed = await client.connectors.updateConnector({ id: created.id, name: 'Guide' }, client.as());
    expect(renamed).toMatchObject({ name: 'Guide', config: { principals: ['public'] } });
  });

  it('keeps the config fields that an update omits and removes those set to null', async () => {
    const { id } = await create({ type: 'scripted', config: { folder: 'a', depth: 1 } });
    const update = (config: object) => client.connectors.updateConnector({ id, config }, client.as());
    expect((await update({ depth: 2 })).config).toEqual({ folder: 'a', depth: 2 });
    expect((await update({ folder: null })).config).toEqual({ depth: 2 });
    await expect(update({ depth: 'deep' })).rejects.toMatchObject({ details: { issues: [{ path: 'config.depth' }] } });
    expect((await get(id)).config).toEqual({ depth: 2 });
  });

  it.each([
    ['an unknown type', { type: 'nothing' }, 'type'],
    ['an empty name', { name: ' ' }, 'name'],
    ['an unknown config field', { config: { bucket: 'b' } }, 'config.bucket'],
    ['credentials that its type does not accept', { credentials: { token: 't' } }, 'credentials.token'],
  ])('is rejected with %s', async (_, fields, path) => {
    await expect(create(fields)).rejects.toMatchObject({ code: 'invalid_request', details: { issues: [{ path }] } });
  });

  it('requires an existing collection', async () => {
    const id = 'col_00000000000000000000000000';
    await expect(create({ collectionId: id })).rejects.toMatchObject({
      code: 'not_found',
      details: { resource: 'collection', id },
    });
  });

  it('is not found for another team and forbidden for a key of other collections', async () => {
    const { id } = await create({});
    const otherTeam = callAs(createCaller());
    await expect(client.connectors.getConnector({ id }, otherTeam)).rejects.toMatchObject({
      code: 'not_found',
      details: { resource: 'connector', id },
    });
    const restricted = callAs({ ...client.caller, scope: { kind: 'only', ids: [] } });
    await expect(client.connectors.getConnector({ id }, restricted)).rejects.toMatchObject({ code: 'forbidden' });
    expect((await client.connectors.listConnectors({}, restricted)).connectors).toEqual([]);
  });

  it('rejects uploads if it is read-only', async () => {
    const { id } = await create({ type: 'scripted' });
    await expect(client.upload(id, [{ path: 'a.txt', content: 'a' }])).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(client.files.deleteFiles({ connectorId: id, files: ['a'] }, client.as())).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

describe('deleting a connector', () => {
  const fill = async () => {
    const { id } = await create({});
    const { jobId } = await client.upload(id, [
      { path: 'a.txt', content: 'a' },
      { path: 'b.txt', content: 'b' },
    ]);
    return { id, jobId };
  };
  const remove = (id: string, keepDocuments = false) =>
    client.connectors.deleteConnector({ id, keepDocuments }, client.as());

  it('deletes its documents once', async () => {
    const { id, jobId } = await fill();
    await client.ended(id, jobId);
    expect(await remove(id)).toEqual({ id });
    expect(system.collection.live(id)).toEqual([]);
    await expect(get(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(remove(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('keeps the documents on request', async () => {
    const { id, jobId } = await fill();
    await client.ended(id, jobId);
    await remove(id, true);
    expect(system.collection.live(id)).toHaveLength(2);
  });

  it('cancels an active job and leaves no document behind', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    system.collection.beforeIndex = async () => {
      started.resolve();
      await promise;
    };
    const { id } = await fill();
    await started.promise;
    await remove(id);
    expect(system.collection.live(id)).toEqual([]);
    resolve();
    await waitUntil(
      async () =>
        get(id).then(
          () => false,
          () => true,
        ),
      { what: 'the connector to be deleted', timeoutMs: 30_000 },
    );
    expect(system.collection.live(id)).toEqual([]);
  });

  it('is completed later if the collection service is unavailable', async () => {
    const { id, jobId } = await fill();
    await client.ended(id, jobId);
    await system.collection.stop();
    try {
      expect(await remove(id)).toEqual({ id });
      expect((await get(id)).status).toBe(ConnectorStatus.DELETING);
      await expect(client.sync(id)).rejects.toMatchObject({ code: expect.stringMatching(/conflict|unavailable/) });
    } finally {
      await system.collection.start();
    }
    await waitUntil(async () => system.collection.live(id).length === 0, {
      what: 'the documents to be deleted',
      timeoutMs: 20_000,
    });
  });
});

describe('messages', () => {
  it('are handled once even if they are delivered twice', async () => {
    const messaging = await createMessaging({
      url: system.nats.url,
      name: 'test',
      log: createLogger({ service: 'test', level: 'silent' }),
    });
    try {
      const { id } = await create({});
      const { promise, resolve } = Promise.withResolvers<void>();
      system.collection.beforeIndex = () => promise;
      const { jobId } = await client.upload(id, [{ path: 'a.txt', content: 'a' }]);
      const items = await system.rows<{ id: string }>('SELECT id FROM connector.sync_items WHERE job_id = $1', jobId);
      for (let n = 0; n < 5; n += 1) {
        const payload = { teamId: client.caller.teamId, connectorId: id, jobId, itemId: items[0]!.id };
        await messaging.enqueue(syncItem, payload, `again-${n}`);
      }
      resolve();
      expect(await client.ended(id, jobId)).toMatchObject({
        status: JobStatus.COMPLETED,
        progress: { total: 1, indexed: 1 },
      });
      expect(system.collection.live(id).map((document) => document.indexings)).toEqual([1]);
    } finally {
      await messaging.close();
    }
  });

  it('stop the connectors of a deleted collection', async () => {
    const messaging = await createMessaging({
      url: system.nats.url,
      name: 'test',
      log: createLogger({ service: 'test', level: 'silent' }),
    });
    try {
      const { id } = await create({});
      const { promise, resolve } = Promise.withResolvers<void>();
      system.collection.beforeIndex = () => promise;
      const { jobId } = await client.upload(id, [{ path: 'a.txt', content: 'a' }]);
      messaging.announce(collectionDeleted, { teamId: client.caller.teamId, collectionId });
      expect((await client.ended(id, jobId)).status).toBe(JobStatus.CANCELLED);
      resolve();
      expect(await get(id)).toMatchObject({
        status: ConnectorStatus.ERROR,
        statusReason: 'The collection of this connector was deleted.',
      });
    } finally {
      await messaging.close();
    }
  });
});
