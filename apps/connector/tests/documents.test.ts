import { describe, expect, it } from '@jest/globals';
import { SyncMode } from '@lectern/contracts';
import { createMessaging, documentDeleted } from '@lectern/messaging';
import { createLogger } from '@lectern/service-kit';
import { callAs, createCaller, waitUntil } from '@lectern/testing';
import { useScriptedConnector } from './support/use-scripted-connector.ts';

const on = useScriptedConnector();

const files = async () =>
  (await on.client.files.listFiles({ connectorId: on.connector.id }, on.client.as())).files.map(
    ({ path, status, documentId }) => ({ path, status, hasDocument: documentId !== '' }),
  );
const remove = (documentId: string, as = on.client.as()) =>
  on.client.connectors.deleteConnectorDocument({ connectorId: on.connector.id, documentId }, as);
const deleted = { path: 'item-0000', status: 'deleted', hasDocument: false };
const indexed = { path: 'item-0000', status: 'indexed', hasDocument: true };

describe('a document that is deleted through the API', () => {
  it('marks its file and stays deleted until its item changes', async () => {
    on.fill(2);
    await on.sync();
    expect(await files()).toContainEqual(indexed);
    const { id } = on.document('item-0000');
    expect(await remove(id)).toEqual({ id });
    expect(await files()).toContainEqual(deleted);
    await expect(remove(id)).rejects.toMatchObject({ code: 'not_found', details: { resource: 'document', id } });

    expect((await on.sync()).progress).toMatchObject({ skipped: 2, indexed: 0 });
    expect(on.liveIds()).toEqual(['item-0001']);
    on.source.items.set('item-0000', 'another text');
    expect((await on.sync()).progress).toMatchObject({ skipped: 1, indexed: 1 });
    expect(on.document('item-0000').id).not.toBe(id);
    expect(await files()).toContainEqual(indexed);
  });

  it('stays deleted without source versions, and returns with a full sync', async () => {
    on.fill(1);
    on.source.versions = false;
    await on.sync();
    await remove(on.document('item-0000').id);
    await on.sync();
    expect(await files()).toEqual([deleted]);
    await on.sync({ mode: SyncMode.FULL });
    expect(await files()).toEqual([indexed]);
  });

  it('is detected even if the connector service was not involved', async () => {
    on.fill(1);
    await on.sync();
    const log = createLogger({ service: 'test', level: 'silent' });
    const messaging = await createMessaging({ url: on.system.nats.url, name: 'test', log });
    try {
      const { teamId } = on.client.caller;
      messaging.announce(documentDeleted, { teamId, documentId: on.document('item-0000').id });
      const isMarked = async () => (await files())[0]?.status === 'deleted';
      await waitUntil(isMarked, { what: 'the file to be marked', timeoutMs: 10_000 });
    } finally {
      await messaging.close();
    }
  });

  it('is not found for another team', async () => {
    on.fill(1);
    await on.sync();
    const { id } = on.document('item-0000');
    await expect(remove(id, callAs(createCaller()))).rejects.toMatchObject({ code: 'not_found' });
    expect(on.liveIds()).toEqual(['item-0000']);
  });
});
