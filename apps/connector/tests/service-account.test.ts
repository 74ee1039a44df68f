import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConnectorStatus, JobStatus } from '@lectern/contracts';
import { createCaller, type GoogleDriveServer, startGoogleDriveServer } from '@lectern/testing';
import { type ConnectorClient, newCollection } from './support/connector-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

let google: GoogleDriveServer;
let system: TestSystem;
let client: ConnectorClient;

beforeAll(async () => {
  google = await startGoogleDriveServer();
  const { origin } = google;
  google.model.put({ id: 'a', name: 'a.txt', content: 'The text of a.' });
  system = await startSystem({
    env: { GOOGLE_API_URL: origin, GOOGLE_ADMIN_API_URL: origin, GOOGLE_TOKEN_URL: `${origin}/token` },
  });
});
afterAll(async () => {
  await system.stop();
  await google.stop();
});
beforeEach(() => {
  client = system.clientOf(createCaller());
});
afterEach(() => google.fail());

const credentials = (options: { revoked?: boolean } = {}) => ({
  serviceAccountKey: google.delegation.keyFile(options),
  adminEmail: 'ada@example.com',
});
const create = (fields: object) =>
  client.connectors.createConnector(
    {
      ...{ name: 'Domain', type: 'google_drive', config: {} },
      ...{ collectionId: newCollection(system.collection.collections), ...fields },
    },
    client.as(),
  );
const get = (id: string) => client.connectors.getConnector({ id }, client.as());
const syncToEnd = async (id: string) => client.ended(id, (await client.sync(id)).id, 60_000);

describe('a connector with a service account instead of an authorization', () => {
  it('is active at once and syncs', async () => {
    const { id, status } = await create({ credentials: credentials() });
    expect(status).toBe(ConnectorStatus.ACTIVE);
    expect(await syncToEnd(id)).toMatchObject({ status: JobStatus.COMPLETED, progress: { indexed: 1 } });
  });

  it('has an error, and does not wait for an authorization, if its key is revoked', async () => {
    const { id } = await create({ credentials: credentials({ revoked: true }) });
    expect(await syncToEnd(id)).toMatchObject({ status: JobStatus.FAILED });
    expect(await get(id)).toMatchObject({ status: ConnectorStatus.ERROR });
    await client.connectors.updateConnector({ id, credentials: credentials() }, client.as());
    expect(await get(id)).toMatchObject({ status: ConnectorStatus.ACTIVE, statusReason: undefined });
    expect(await syncToEnd(id)).toMatchObject({ status: JobStatus.COMPLETED });
  });

  it('can replace one that waits for an authorization', async () => {
    const { id, status } = await create({ credentials: {} });
    expect(status).toBe(ConnectorStatus.PENDING_AUTH);
    await client.connectors.updateConnector({ id, credentials: {} }, client.as());
    expect(await get(id)).toMatchObject({ status: ConnectorStatus.PENDING_AUTH });
    await client.connectors.updateConnector({ id, credentials: credentials() }, client.as());
    expect(await syncToEnd(id)).toMatchObject({ status: JobStatus.COMPLETED, progress: { indexed: 1 } });
  });

  it('needs its credentials again to list other users', async () => {
    const { id } = await create({ config: { users: ['ada@example.com'] }, credentials: credentials() });
    const update = (fields: object) => client.connectors.updateConnector({ id, ...fields }, client.as());
    await expect(update({ config: { users: null } })).rejects.toMatchObject({ code: 'invalid_request' });
    await update({ name: 'Ada', config: { users: ['ada@example.com'] } });
    await update({ config: { users: null }, credentials: credentials() });
    expect((await get(id)).config).toEqual({});
  });
});
