import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Event } from '@lectern/contracts';
import { systemCaller } from '@lectern/service-kit';
import { callAs, createCaller, waitUntil } from '@lectern/testing';
import { indexVersion } from '#indexing/index-document';
import { markForRebuild } from '#reconcile/rebuild';
import { startTestCollection, type TestCollection } from './start-collection.ts';

const caller = createCaller();
const background = () => callAs(systemCaller('all'));
const connectorId = `con_${crypto.randomUUID()}`;

let service: TestCollection;
let collectionId: string;
let version = 0;

beforeAll(async () => {
  service = await startTestCollection();
  collectionId = (await service.collections.createCollection({ name: 'Items' }, callAs(caller))).id;
});
afterAll(() => service.stop());

const need = (types: string[], teamId = caller.teamId) => {
  version += 1;
  return service.events.setInterests({ interests: [{ teamId, version, types }] }, background());
};
/** Takes all events out of the service. */
async function take(): Promise<readonly Event[]> {
  const { events } = await service.events.pullEvents({ storedIds: [], limit: 500 }, background());
  await service.events.pullEvents({ storedIds: events.map(({ id }) => id), limit: 1 }, background());
  return events;
}
const index = async (externalId: string, content: string, collection = collectionId) => {
  const item = { connectorId, collectionId: collection, source: 's3', externalId, title: 'Secret plan', type: 'text' };
  const rest = { content, url: undefined, metadata: {}, principals: ['public'] };
  return (await service.documents.indexItem({ ...item, ...rest }, callAs(caller))).id;
};
const dataOf = (events: readonly Event[]) => events.map(({ type, data }) => [type, data]);

describe('the events of documents', () => {
  it('are not stored while no webhook needs them', async () => {
    await need(['document.deleted']);
    await need(['document.indexed'], createCaller().teamId);
    await index('a', 'Not needed.');
    expect(await take()).toEqual([]);
  });

  it('are in the order of the changes, without titles and texts', async () => {
    await need(['document.indexed', 'document.failed', 'document.deleted']);
    const id = await index('b', 'First.');
    await index('b', 'Second.');
    const error = { code: 'broken', message: 'The file Secret plan is broken.' };
    await service.documents.failDocument({ id, error }, callAs(caller));
    await service.documents.deleteDocument({ id, connectorId: undefined, precondition: undefined }, callAs(caller));
    const events = await take();
    const document = { id, collectionId, connectorId };
    expect(dataOf(events)).toEqual([
      ['document.indexed', { ...document, version: 1 }],
      ['document.indexed', { ...document, version: 2 }],
      ['document.failed', { ...document, error: { code: 'broken' } }],
      ['document.deleted', document],
    ]);
    for (const event of events) {
      expect(event).toMatchObject({ teamId: caller.teamId, resource: id, collectionIds: [collectionId] });
      expect(JSON.stringify(event)).not.toContain('Secret');
    }
  });

  it('stay until the gateway has stored them', async () => {
    await index('c', 'Kept.');
    const pull = (storedIds: string[]) => service.events.pullEvents({ storedIds, limit: 500 }, background());
    const [first] = (await pull([])).events;
    expect((await pull([])).events).toEqual([first]);
    expect((await pull([first!.id])).events).toEqual([]);
  });

  it('are not repeated when the index of unchanged text is rebuilt', async () => {
    const id = await index('d', 'Unchanged.');
    await take();
    const { context } = service;
    expect(await markForRebuild(context.db, [{ id, version: 1 }])).toEqual([id]);
    const row = await context.writes.begin({ id, teamId: caller.teamId });
    await indexVersion(context, row!, 'Unchanged.', new AbortController().signal);
    expect(await context.db.document.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: 'indexed' });
    expect(await take()).toEqual([]);
    await index('d', 'Changed.');
    expect(await take()).toHaveLength(1);
  });

  it('include the deletion of every document of a collection', async () => {
    const { id: other } = await service.collections.createCollection({ name: 'Others' }, callAs(caller));
    const ids = await Promise.all(['e', 'f', 'g'].map((name) => index(name, 'Gone soon.', other)));
    await take();
    await service.collections.deleteCollection({ id: other, precondition: undefined }, callAs(caller));
    const events = await take();
    expect(events.map(({ type, resource }) => `${type} ${resource}`).toSorted()).toEqual(
      ids.map((id) => `document.deleted ${id}`).toSorted(),
    );
  });

  it('follow the latest list of needed events, in whatever order lists arrive', async () => {
    await need(['document.indexed']);
    const interests = [{ teamId: caller.teamId, version: version - 1, types: [] }];
    await service.events.setInterests({ interests }, background());
    await index('h', 'Wanted.');
    await waitUntil(async () => (await take()).length === 1, { what: 'the event', timeoutMs: 10_000 });
  });

  it('are only for background work of the gateway', async () => {
    for (const request of [caller, createCaller({ keyId: undefined, userEmail: 'ada@example.com' })]) {
      const call = service.events.pullEvents({ storedIds: [], limit: 1 }, callAs(request));
      await expect(call).rejects.toMatchObject({ code: 'forbidden' });
    }
  });
});
