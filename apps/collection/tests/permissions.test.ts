import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, newId } from '@lectern/service-kit';
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

/** Creates a team whose connector has a document for each set of readers, named by its title. */
async function teamWith(readers: Readonly<Record<string, readonly string[]>>) {
  const caller = createCaller();
  const call = callAs(caller);
  const { id: collectionId } = await service.collections.createCollection({ name: 'Drive' }, call);
  const connectorId = newId('connector');
  const ids: Record<string, string> = {};
  for (const [title, principals] of Object.entries(readers)) {
    const item = { externalId: title, title, content: `About ${title}.`, type: 'text', source: 'google_drive' };
    const document = await service.documents.indexItem(
      { connectorId, collectionId, ...item, principals: [...principals] },
      call,
    );
    ids[title] = document.id;
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
  it('returns public documents, and those of the user and of direct and nested groups', async () => {
    const team = await teamWith({ all: [PUBLIC], ada: [ADA], crew: [CREW], engineers: [ENGINEERS], none: [] });
    await team.replaceGroups({ [CREW]: [ENGINEERS], [ENGINEERS]: [ADA] });
    expect(await team.listed('ada@example.com')).toEqual(['ada', 'all', 'crew', 'engineers']);
    expect(await team.listed('bob@example.com')).toEqual(['all']);
  });

  it('returns documents of the groups that the caller names, and of groups that contain them', async () => {
    const okta = 'group:okta/Crew%20A';
    const team = await teamWith({ all: [PUBLIC], okta: [okta], crew: [CREW], engineers: [ENGINEERS], none: [] });
    await team.replaceGroups({ [CREW]: [okta], [ENGINEERS]: [ADA] });
    const titles = async (more: Partial<Caller>) => {
      const call = callAs({ ...team.caller, userEmail: 'bob@example.com', ...more });
      const { documents } = await service.documents.listDocuments({ collectionId: team.collectionId }, call);
      return documents.map(({ title }) => title).sort();
    };
    expect(await titles({ groups: [okta] })).toEqual(['all', 'crew', 'okta']);
    expect(await titles({ groups: ['group:okta/crew%20a', 'group:entra/Crew%20A'] })).toEqual(['all']);
    expect(await titles({ groups: [okta], publicOnly: true })).toEqual(['all']);
  });

  it('returns everything in the scope of the key if it names no end user', async () => {
    const { caller, collectionId } = await teamWith({ all: [PUBLIC], none: [] });
    const { page } = await service.documents.listDocuments({ collectionId }, callAs(caller));
    expect(page?.total).toBe(2);
  });

  it('reports unreadable documents as not found', async () => {
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

  it('loses access as soon as the membership ends', async () => {
    const team = await teamWith({ crew: [CREW] });
    await team.replaceGroups({ [CREW]: [ADA, 'user:bob@example.com'] });
    expect(await team.listed('bob@example.com')).toEqual(['crew']);
    await team.replaceGroups({ [CREW]: [ADA] });
    expect(await team.listed('bob@example.com')).toEqual([]);
    expect(await team.listed('ada@example.com')).toEqual(['crew']);
  });

  it('resolves to all groups of the user, even a thousand', async () => {
    const { caller, collectionId, as, replaceGroups } = await teamWith({ all: [PUBLIC] });
    const many = Array.from({ length: 1_000 }, (_, at) => `group:drive:${at}`);
    await replaceGroups(Object.fromEntries(many.map((principal) => [principal, [ADA]])));
    const { principals } = await service.collections.resolveCollections({ ids: [collectionId] }, as('ada@example.com'));
    expect(new Set(principals?.values)).toEqual(new Set([PUBLIC, ADA, 'group:domain:example.com', ...many]));
    expect(await service.collections.resolveCollections({ ids: [] }, callAs(caller))).toMatchObject({
      principals: undefined,
    });
  });

  it('does not use groups of another team', async () => {
    const team = await teamWith({ crew: [CREW] });
    const other = await teamWith({ crew: [CREW] });
    await other.replaceGroups({ [CREW]: [ADA] });
    expect(await team.listed('ada@example.com')).toEqual([]);
  });
});

describe('a call of a publishable key', () => {
  it('reads only public documents: records, content, summaries, lists, counts and stats', async () => {
    const { caller, collectionId, ids } = await teamWith({
      all: [PUBLIC],
      both: [PUBLIC, ADA],
      ada: [ADA],
      domain: ['group:domain:example.com'],
      none: [],
    });
    const open = callAs({ ...caller, publicOnly: true });
    const { documents, page } = await service.documents.listDocuments({ collectionId }, open);
    expect(documents.map(({ title }) => title).sort()).toEqual(['all', 'both']);
    expect(page?.total).toBe(2);
    expect(await service.collections.getCollection({ id: collectionId }, open)).toMatchObject({ documentCount: 2 });
    expect(await service.collections.refreshStats({ id: collectionId }, open)).toMatchObject({ documentCount: 2 });
    expect(await service.collections.resolveCollections({ ids: [] }, open)).toMatchObject({
      principals: { values: [PUBLIC] },
    });
    for (const title of ['ada', 'domain', 'none']) {
      const id = ids[title] ?? '';
      for (const read of await Promise.allSettled([
        service.documents.getDocument({ id }, open),
        service.documents.getDocumentContent({ id }, open),
        service.documents.getDocumentSummary({ id }, open),
      ])) {
        expect(read).toMatchObject({ reason: { code: 'not_found' } });
      }
    }
  });
});

describe('the readers of a document', () => {
  it('are shown to a secret key, but not to an end user or a publishable key', async () => {
    const { caller, collectionId, ids, as } = await teamWith({ both: [PUBLIC, ADA, CREW] });
    const id = ids.both ?? '';
    const shown = async (call: ReturnType<typeof callAs>) => {
      const { principals } = await service.documents.getDocument({ id }, call);
      const { document } = await service.documents.getDocumentContent({ id }, call);
      const { documents } = await service.documents.listDocuments({ collectionId }, call);
      return [principals, document?.principals, documents[0]?.principals];
    };
    const values = { values: [PUBLIC, ADA, CREW] };
    expect(await shown(callAs(caller))).toEqual([values, values, values]);
    expect(await shown(as('ada@example.com'))).toEqual([undefined, undefined, undefined]);
    expect(await shown(callAs({ ...caller, publicOnly: true }))).toEqual([undefined, undefined, undefined]);
  });
});

describe('filtering of readable documents', () => {
  it('respects scope, principals and deletion', async () => {
    const { caller, ids, as, collectionId } = await teamWith({ all: [PUBLIC], ada: [ADA], deleted: [PUBLIC] });
    const request = { ids: [...Object.values(ids), ids.all ?? '', newId('document'), 'nonsense'] };
    await service.documents.deleteDocument({ id: ids.deleted ?? '' }, callAs(caller));
    const readable = async (call: ReturnType<typeof callAs>) =>
      (await service.documents.filterReadable(request, call)).ids.sort();
    const both = [ids.all, ids.ada].sort();
    expect(await readable(callAs(caller))).toEqual(both);
    expect(await readable(as('ada@example.com'))).toEqual(both);
    expect(await readable(as('bob@example.com'))).toEqual([ids.all]);
    expect(await readable(callAs({ ...caller, publicOnly: true }))).toEqual([ids.all]);
    expect(await readable(callAs({ ...caller, scope: { kind: 'only', ids: [] } }))).toEqual([]);
    expect(await readable(callAs({ ...caller, teamId: newId('team') }))).toEqual([]);
    await service.collections.deleteCollection({ id: collectionId }, callAs(caller));
    expect(await readable(callAs(caller))).toEqual([]);
  });
});
