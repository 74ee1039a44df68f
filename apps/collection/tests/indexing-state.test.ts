import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, newId } from '@lectern/service-kit';
import { callAs, createCaller } from '@lectern/testing';
import { startTestCollection, type TestCollection } from './start-collection.ts';

let service: TestCollection;
beforeAll(async () => {
  service = await startTestCollection();
});
afterAll(() => service.stop());

const stateFor = (caller: Caller, ...collectionIds: readonly string[]) =>
  service.documents.getIndexingState({ collectionIds: [...collectionIds] }, callAs(caller));

const NOTHING = { searchable: false, pendingCount: 0, languages: [] };

/** Creates a collection with indexed documents for each of these readers, and with pending ones. */
async function collectionOf(caller: Caller, readers: readonly string[], pending: number): Promise<string> {
  const call = callAs(caller);
  const { id: collectionId } = await service.collections.createCollection({ name: 'C' }, call);
  const connectorId = newId('connector');
  for (const reader of readers) {
    const content = 'Die Kündigungsfrist für alle Verträge beträgt drei Monate zum Ende des Quartals.';
    const item = { externalId: reader, title: reader, content, type: 'text', source: 's3', principals: [reader] };
    await service.documents.indexItem({ connectorId, collectionId, ...item }, call);
  }
  const items = Array.from({ length: pending }, (_, at) => ({ externalId: `new ${at}`, title: `New ${at}` }));
  if (pending > 0) await service.documents.registerDocuments({ connectorId, collectionId, source: 's3', items }, call);
  return collectionId;
}

describe('the indexing state', () => {
  it('of a new team has no documents', async () => {
    expect(await stateFor(createCaller())).toEqual(NOTHING);
  });

  it('counts the pending documents of the named collections', async () => {
    const caller = createCaller();
    const first = await collectionOf(caller, ['public'], 2);
    const second = await collectionOf(caller, [], 3);
    expect(await stateFor(caller, first)).toEqual({ searchable: true, pendingCount: 2, languages: ['de'] });
    expect(await stateFor(caller, second)).toEqual({ ...NOTHING, pendingCount: 3 });
    expect(await stateFor(caller)).toEqual({ searchable: true, pendingCount: 5, languages: ['de'] });
  });

  it('does not reveal documents that the end user may not read', async () => {
    const caller = createCaller();
    await collectionOf(caller, ['user:ada@example.com'], 4);
    expect(await stateFor({ ...caller, userEmail: 'ada@example.com' })).toMatchObject({
      searchable: true,
      pendingCount: 0,
    });
    expect(await stateFor({ ...caller, userEmail: 'bob@example.com' })).toMatchObject({
      searchable: false,
      pendingCount: 0,
    });
  });

  it('does not reveal collections outside the scope of the key, or of other teams', async () => {
    const caller = createCaller();
    const closed = await collectionOf(caller, ['public'], 1);
    const open = await collectionOf(caller, [], 0);
    const restricted: Caller = { ...caller, scope: { kind: 'only', ids: [open] } };
    expect(await stateFor(restricted)).toEqual(NOTHING);
    await expect(stateFor(restricted, closed)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(stateFor(createCaller(), closed)).rejects.toMatchObject({ code: 'not_found' });
  });
});
