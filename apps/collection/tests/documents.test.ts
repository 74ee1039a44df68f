import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Document, DocumentStatus } from '@lectern/contracts';
import { newId } from '@lectern/service-kit';
import { callAs, createCaller, waitUntil } from '@lectern/testing';
import { startTestCollection, type TestCollection } from './start-collection.ts';

const LEAVE = '# Leave\n\nEveryone has thirty days of holiday.\n\n## Parents\n\nParents take sixteen weeks.\n';

let service: TestCollection;

beforeAll(async () => {
  service = await startTestCollection();
});
afterAll(() => service.stop());

const newTeam = async () => {
  const caller = createCaller();
  const call = callAs(caller);
  const { id: collectionId } = await service.collections.createCollection({ name: 'Handbook' }, call);
  return { caller, call, collectionId };
};
type Team = Awaited<ReturnType<typeof newTeam>>;

const untilIndexed = async ({ call }: Team, id: string) => {
  const read = () => service.documents.getDocument({ id }, call);
  await waitUntil(async () => (await read()).status === DocumentStatus.INDEXED, {
    what: 'the document to be indexed',
    timeoutMs: 20_000,
  });
  return read();
};

const storedVersions = async (team: Team) => {
  const { context } = service;
  const { model } = context.denseEncoder();
  const versions = await Array.fromAsync(context.store.scrollDocuments(model, { team: team.caller.teamId }));
  return versions.map(({ document, version }) => `${document}@${version}`).sort();
};

const create = (team: Team, fields: Partial<Parameters<typeof service.documents.createDocument>[0]> = {}) =>
  service.documents.createDocument(
    { collectionId: team.collectionId, title: 'Leave', content: LEAVE, metadata: { author: 'Ada' }, ...fields },
    team.call,
  );

describe('a document of the API', () => {
  it('is pending at first, then indexed, with its content, counts and statistics', async () => {
    const team = await newTeam();
    const created = await create(team, { url: 'https://example.com/leave' });
    expect(created).toMatchObject({ status: DocumentStatus.PENDING, source: 'api', type: 'markdown', chunkCount: 0 });
    const document = await untilIndexed(team, created.id);
    expect(document).toMatchObject({
      title: 'Leave',
      url: 'https://example.com/leave',
      metadata: { author: 'Ada' },
      collectionName: 'Handbook',
      sizeBytes: Buffer.byteLength(LEAVE),
    });
    expect(document.chunkCount).toBeGreaterThan(0);
    const { content } = await service.documents.getDocumentContent({ id: created.id }, team.call);
    expect(content).toBe(LEAVE);
    const collection = await service.collections.getCollection({ id: team.collectionId }, team.call);
    expect(collection).toMatchObject({ documentCount: 1, embeddingCount: document.chunkCount });
    const stats = await service.collections.refreshStats({ id: team.collectionId }, team.call);
    expect(stats).toMatchObject({ documentCount: 1, embeddingCount: document.chunkCount, lastSync: expect.any(Date) });
    expect(stats.storageBytes).toBeGreaterThan(Buffer.byteLength(LEAVE));
  });

  it('is replaced by the same external id, without passages of the old content', async () => {
    const team = await newTeam();
    const first = await create(team, { externalId: 'leave' });
    await untilIndexed(team, first.id);
    const second = await create(team, { externalId: 'leave', content: 'Now it is forty days.', title: 'Holiday' });
    expect(second.id).toBe(first.id);
    await untilIndexed(team, first.id);
    expect(await storedVersions(team)).toEqual([`${first.id}@2`]);
    const { content } = await service.documents.getDocumentContent({ id: first.id }, team.call);
    expect(content).toBe('Now it is forty days.');
  });

  it('is returned when it is created again under its id, only for its team', async () => {
    const team = await newTeam();
    const id = newId('document');
    const created = await Promise.all([create(team, { id }), create(team, { id }), create(team)]);
    expect(created.map((document) => document.id === id)).toEqual([true, true, false]);
    await untilIndexed(team, id);
    expect(await create(team, { id })).toMatchObject({ id, title: 'Leave' });
    const { documents } = await service.documents.listDocuments({ collectionId: team.collectionId }, team.call);
    expect(documents).toHaveLength(2);
    await expect(create(await newTeam(), { id })).rejects.toMatchObject({ code: 'conflict' });
    await expect(create(team, { id: 'doc_1' })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('replaces metadata, address and source', async () => {
    const team = await newTeam();
    const fields = { url: 'https://example.com/a', metadata: { author: 'Ann' }, source: 'wiki' };
    const first = await create(team, { externalId: 'r', ...fields });
    expect(first).toMatchObject(fields);
    const second = await create(team, { externalId: 'r', content: 'New.' });
    expect(second).toMatchObject({ id: first.id, source: 'api' });
    const bare = await create(team, { externalId: 'r', content: 'Bare.', metadata: {} });
    expect(bare).toMatchObject({ id: first.id, url: undefined, metadata: {} });
  });

  it('keeps the principals, metadata and address that a replacement omits', async () => {
    const team = await newTeam();
    const fields = { metadata: { author: 'Ada', level: 3 }, url: 'https://example.com/r' };
    const readers = ['user:ada@example.com', 'group:drive:crew'];
    const first = await create(team, { externalId: 'kept', ...fields, principals: readers });
    const values = (document: Document) => document.principals?.values;
    const second = await create(team, { externalId: 'kept', content: 'Second.', metadata: undefined });
    expect(second).toMatchObject({ id: first.id, ...fields });
    expect(values(second)).toEqual(readers);
    const third = await create(team, { externalId: 'kept', content: 'Third.', metadata: { level: 4 } });
    expect(third).toMatchObject({ metadata: { level: 4 }, url: undefined });
    expect(values(third)).toEqual(readers);
    const opened = { content: 'Fourth.', metadata: undefined, principals: ['public'] };
    const fourth = await create(team, { externalId: 'kept', ...opened });
    expect(fourth).toMatchObject({ metadata: { level: 4 } });
    expect(values(fourth)).toEqual(['public']);
    expect(values(await create(team, { externalId: 'new' }))).toEqual(['public']);
  });

  it('keeps its own principals when many documents are replaced in one statement', async () => {
    const team = await newTeam();
    const names = Array.from({ length: 12 }, (_, at) => `doc-${at}`);
    const readerOf = (name: string) => [`user:${name}@example.com`];
    await Promise.all(names.map((externalId) => create(team, { externalId, principals: readerOf(externalId) })));
    const again = await Promise.all(names.map((externalId) => create(team, { externalId, content: 'Again.' })));
    expect(again.map(({ principals }) => principals?.values)).toEqual(names.map(readerOf));
  });

  it('has the address in its metadata unless one is given', async () => {
    const team = await newTeam();
    const metadata = { url: 'https://example.com/page' };
    expect(await create(team, { metadata })).toMatchObject(metadata);
    expect(await create(team, { metadata, url: 'https://example.com/own' })).toMatchObject({
      url: 'https://example.com/own',
    });
  });

  it('is created once for concurrent requests with the same external id', async () => {
    const team = await newTeam();
    const created = await Promise.all(
      Array.from({ length: 8 }, (_, i) => create(team, { externalId: 'same', content: `Text ${i}` })),
    );
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    await waitUntil(async () => (await storedVersions(team)).join() === `${created[0]!.id}@8`, {
      what: 'only the last version to be stored',
      timeoutMs: 20_000,
    });
  });

  it('has an extractive summary, stored until the content changes', async () => {
    const team = await newTeam();
    const { id } = await create(team, { externalId: 's' });
    const { summary } = await service.documents.getDocumentSummary({ id }, team.call);
    expect(summary).toContain('thirty days');
    expect(summary).not.toMatch(/\[\d+\]/);
    await create(team, { externalId: 's', content: 'Cats sleep sixteen hours a day.' });
    const changed = await service.documents.getDocumentSummary({ id }, team.call);
    expect(changed.summary).toContain('Cats sleep');
  });

  it('is deleted everywhere, and stays in the list of deleted documents', async () => {
    const team = await newTeam();
    const { id } = await create(team);
    await untilIndexed(team, id);
    await service.documents.deleteDocument({ id }, team.call);
    expect(await storedVersions(team)).toEqual([]);
    for (const call of [
      service.documents.getDocument({ id }, team.call),
      service.documents.getDocumentContent({ id }, team.call),
      service.documents.deleteDocument({ id }, team.call),
    ]) {
      await expect(call).rejects.toMatchObject({ code: 'not_found' });
    }
    const { collectionId } = team;
    expect((await service.documents.listDocuments({ collectionId }, team.call)).documents).toEqual([]);
    const deleted = await service.documents.listDocuments({ collectionId, status: DocumentStatus.DELETED }, team.call);
    expect(deleted.documents.map((document) => document.id)).toEqual([id]);
  });

  it('is not shown to another team or to a key without access to its collection', async () => {
    const team = await newTeam();
    const { id } = await create(team);
    const otherTeam = callAs(createCaller());
    await expect(service.documents.getDocument({ id }, otherTeam)).rejects.toMatchObject({ code: 'not_found' });
    const scoped = callAs({ ...team.caller, scope: { kind: 'only', ids: [] } });
    await expect(service.documents.getDocument({ id }, scoped)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(service.documents.deleteDocument({ id }, scoped)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe("a connector's document", () => {
  let connectorId: string;
  beforeEach(() => {
    connectorId = newId('connector');
  });
  const register = (team: Team, externalIds: readonly string[]) =>
    service.documents.registerDocuments(
      {
        connectorId,
        collectionId: team.collectionId,
        source: 'upload',
        items: externalIds.map((externalId) => ({ externalId, title: externalId })),
      },
      team.call,
    );
  const index = (team: Team, id: string, content = LEAVE) =>
    service.documents.indexDocument({ id, title: 'T', content, type: 'markdown', principals: ['public'] }, team.call);

  it('is registered once per item, also by concurrent calls', async () => {
    const team = await newTeam();
    const both = await Promise.all([register(team, ['a', 'b', 'c']), register(team, ['c', 'a', 'd'])]);
    const [first, second] = both.map(({ documents }) => new Map(documents.map((d) => [d.externalId, d.id])));
    expect(second!.get('a')).toBe(first!.get('a'));
    expect(second!.get('c')).toBe(first!.get('c'));
    expect((await service.collections.getCollection({ id: team.collectionId }, team.call)).documentCount).toBe(4);
  });

  it('is indexed when the call returns, and again by a repeated call without duplicates', async () => {
    const team = await newTeam();
    const { documents } = await register(team, ['a']);
    const id = documents[0]!.id;
    const responses = await Promise.all([index(team, id), index(team, id), index(team, id)]);
    for (const response of responses) expect(response.id).toBe(id);
    await waitUntil(async () => (await storedVersions(team)).length === 1, {
      what: 'one stored version',
      timeoutMs: 10_000,
    });
    expect(await untilIndexed(team, id)).toMatchObject({ status: DocumentStatus.INDEXED, type: 'markdown' });
    expect(await storedVersions(team)).toEqual([`${id}@3`]);
  });

  it('keeps the error of a broken file, and recovers from it', async () => {
    const team = await newTeam();
    const { documents } = await register(team, ['a']);
    const id = documents[0]!.id;
    const error = { code: 'encrypted', message: 'The file is protected by a password.' };
    const failed = await service.documents.failDocument({ id, error }, team.call);
    expect(failed).toMatchObject({ status: DocumentStatus.FAILED, error });
    const [listed] = (await service.collections.listCollections({}, team.call)).collections;
    expect(listed).toMatchObject({ documentCount: 1, failedCount: 1 });
    for (const reader of [{ userEmail: 'ann@example.com' }, { publicOnly: true }]) {
      const { collections } = await service.collections.listCollections({}, callAs({ ...team.caller, ...reader }));
      expect(collections).toMatchObject([{ failedCount: 0 }]);
    }
    const recovered = await index(team, id);
    expect(recovered).toMatchObject({ status: DocumentStatus.INDEXED, error: undefined });
  });

  it('cannot be indexed after its deletion, and leaves nothing behind if both happen at the same time', async () => {
    const team = await newTeam();
    const { documents } = await register(team, ['a', 'b']);
    const [a, b] = documents.map(({ id }) => id);
    await service.documents.deleteDocument({ id: a!, connectorId }, team.call);
    await expect(index(team, a!)).rejects.toMatchObject({ code: 'not_found' });
    const long = Array.from({ length: 400 }, (_, i) => `## Section ${i}\n\nWords of section ${i}.`).join('\n\n');
    const indexing = index(team, b!, long).catch(() => undefined);
    await service.documents.deleteConnectorDocuments({ connectorId }, team.call);
    await indexing;
    expect(await storedVersions(team)).toEqual([]);
  });

  it('is deleted with its collection', async () => {
    const team = await newTeam();
    const { documents } = await register(team, ['a']);
    await index(team, documents[0]!.id);
    await service.collections.deleteCollection({ id: team.collectionId }, team.call);
    expect(await storedVersions(team)).toEqual([]);
    await expect(register(team, ['b'])).rejects.toMatchObject({ code: 'not_found' });
  });
});
