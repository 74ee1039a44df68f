import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import { callAs, createCaller } from '@lectern/testing';
import { startTestCollection, type TestCollection } from './start-collection.ts';

const PUBLIC = 'public';
const ADA = 'user:ada@example.com';
const CREW = 'group:drive:crew';
const ENGINEERS = 'group:drive:engineers';

let service: TestCollection;
beforeAll(async () => {
  service = await startTestCollection();
});
afterAll(() => service.stop());

/** A team whose connector brought a document for each set of readers; titles name the readers. */
async function teamWith(readers: Readonly<Record<string, readonly string[]>>) {
  const caller = createCaller();
  const call = callAs(caller);
  const { id: collectionId } = await service.collections.createCollection({ name: 'Drive' }, call);
  const connectorId = newId('connector');
  const ids: Record<string, string> = {};
  for (const [title, principals] of Object.entries(readers)) {
    const item = { externalId: title, title, content: `About ${title}.`, type: 'text', source: 'google_drive' };
    const made = await service.documents.indexItem(
      { connectorId, collectionId, ...item, principals: [...principals] },
      call,
    );
    ids[title] = made.id;
  }
  const replaceGroups = (members: Readonly<Record<string, readonly string[]>>) =>
    service.documents.replaceGroups(
      {
        connectorId,
        generation: newId('job'),
        groups: Object.entries(members).map(([principal, of]) => ({ principal, members: [...of] })),
        complete: true,
      },
      call,
    );
  const as = (userEmail: string) => callAs({ ...caller, userEmail });
  const listed = async (userEmail: string) => {
    const { documents, page } = await service.documents.listDocuments({ collectionId }, as(userEmail));
    const { documentCount } = await service.collections.getCollection({ id: collectionId }, as(userEmail));
    expect([page?.total, documentCount]).toEqual([documents.length, documents.length]);
    return documents.map(({ title }) => title).sort();
  };
  return { caller, collectionId, ids, as, listed, replaceGroups };
}

describe('a call for an end user', () => {
  it('sees what is public, names the user, or names a group that holds the user, also through others', async () => {
    const team = await teamWith({ all: [PUBLIC], ada: [ADA], crew: [CREW], engineers: [ENGINEERS], nobody: [] });
    await team.replaceGroups({ [CREW]: [ENGINEERS], [ENGINEERS]: [ADA] });
    expect(await team.listed('ada@example.com')).toEqual(['ada', 'all', 'crew', 'engineers']);
    expect(await team.listed('bob@example.com')).toEqual(['all']);
  });

  it('without one sees whatever the key reaches', async () => {
    const { caller, collectionId } = await teamWith({ all: [PUBLIC], nobody: [] });
    const { page } = await service.documents.listDocuments({ collectionId }, callAs(caller));
    expect(page?.total).toBe(2);
  });

  it('finds what it may not read as little as what does not exist', async () => {
    const { ids, as } = await teamWith({ ada: [ADA] });
    const bob = as('bob@example.com');
    const id = ids.ada ?? '';
    const reads = [
      service.documents.getDocument({ id }, bob),
      service.documents.getDocumentContent({ id }, bob),
      service.documents.getDocumentSummary({ id }, bob),
    ];
    for (const read of await Promise.allSettled(reads)) {
      expect(read).toMatchObject({ reason: { code: 'not_found', details: { resource: 'document', id } } });
    }
    expect((await service.documents.getDocument({ id }, as('ada@example.com'))).title).toBe('ada');
    await expect(service.documents.deleteDocument({ id }, as('ada@example.com'))).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  it('loses what a membership gave as soon as the membership is gone', async () => {
    const team = await teamWith({ crew: [CREW] });
    await team.replaceGroups({ [CREW]: [ADA, 'user:bob@example.com'] });
    expect(await team.listed('bob@example.com')).toEqual(['crew']);
    await team.replaceGroups({ [CREW]: [ADA] });
    expect(await team.listed('bob@example.com')).toEqual([]);
    expect(await team.listed('ada@example.com')).toEqual(['crew']);
  });

  it('is told to a search with all its groups, a thousand of them too', async () => {
    const { caller, collectionId, as, replaceGroups } = await teamWith({ all: [PUBLIC] });
    const many = Array.from({ length: 1_000 }, (_, at) => `group:drive:${at}`);
    await replaceGroups(Object.fromEntries(many.map((principal) => [principal, [ADA]])));
    const { principals } = await service.collections.resolveCollections({ ids: [collectionId] }, as('ada@example.com'));
    expect(new Set(principals?.values)).toEqual(new Set([PUBLIC, ADA, 'group:domain:example.com', ...many]));
    expect(await service.collections.resolveCollections({ ids: [] }, callAs(caller))).toMatchObject({
      principals: undefined,
    });
  });

  it('of one team has no part in the groups of another', async () => {
    const team = await teamWith({ crew: [CREW] });
    const other = await teamWith({ crew: [CREW] });
    await other.replaceGroups({ [CREW]: [ADA] });
    expect(await team.listed('ada@example.com')).toEqual([]);
  });
});
