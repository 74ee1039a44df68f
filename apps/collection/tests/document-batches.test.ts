import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CreateDocumentRequest } from '@lectern/contracts';
import { newId } from '@lectern/service-kit';
import { callAs, createCaller, waitUntil } from '@lectern/testing';
import fc from 'fast-check';
import { startTestCollection, type TestCollection } from './start-collection.ts';

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

type NewDocument = Partial<CreateDocumentRequest> & Pick<CreateDocumentRequest, 'title' | 'content'>;

const createBatch = ({ call, collectionId }: Team, documents: readonly NewDocument[]) =>
  service.documents.createDocuments({ collectionId, documents: [...documents] }, call);

const createOneByOne = async ({ call, collectionId }: Team, documents: readonly NewDocument[]) => {
  const ids = [];
  for (const document of documents) {
    ids.push((await service.documents.createDocument({ ...document, collectionId }, call)).id);
  }
  return ids;
};

/** The stored documents, without ids and times, in the order of their creation. */
async function storedDocuments({ caller }: Team) {
  const rows = await service.context.db.document.findMany({
    where: { teamId: caller.teamId },
    include: { content: true },
    orderBy: { id: 'asc' },
  });
  return rows
    .map(({ title, type, url, source, metadata, principals, externalId, version, sizeBytes, content }) => {
      return { title, type, url, source, metadata, principals, externalId, version, sizeBytes, text: content?.content };
    })
    .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}

const text = fc.string({ minLength: 1, maxLength: 40 }).filter((value) => /\S/.test(value) && !value.includes('\0'));
const newDocument: fc.Arbitrary<NewDocument> = fc.record(
  {
    title: text,
    content: fc.oneof(
      text,
      text.map((value) => `# ${value}\n\n${value}`),
    ),
    // Few names, so that batches replace documents, also their own.
    externalId: fc.constantFrom('a', 'b', 'c'),
    metadata: fc.dictionary(fc.constantFrom('author', 'team'), text, { maxKeys: 2 }),
    principals: fc.constantFrom(['user:ada@example.com'], ['public']),
    url: fc.constant('https://example.com/page'),
    source: fc.constantFrom('wiki', 'api'),
  },
  { requiredKeys: ['title', 'content'] },
);

describe('a batch of documents', () => {
  it('stores the same as one request per document', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(newDocument, { minLength: 1, maxLength: 8 }), { maxLength: 3 }),
        async (all) => {
          const [single, batched] = await Promise.all([newTeam(), newTeam()]);
          for (const documents of all) {
            const before = new Set((await service.context.db.document.findMany()).map(({ id }) => id));
            const ids = await createOneByOne(single, documents);
            const { results } = await createBatch(batched, documents);
            const seen = new Set<string>();
            const updated = ids.map((id) => before.has(id) || seen.size === seen.add(id).size);
            expect(results.map((result) => result.error)).toEqual(documents.map(() => undefined));
            expect(results.map((result) => result.updated)).toEqual(updated);
          }
          expect(await storedDocuments(batched)).toEqual(await storedDocuments(single));
        },
      ),
      { numRuns: 20 },
    );
  });

  it('is indexed', async () => {
    const team = await newTeam();
    const documents = Array.from({ length: 100 }, (_, at) => ({ title: `Page ${at}`, content: `This is page ${at}.` }));
    const { results } = await createBatch(team, documents);
    expect(new Set(results.map(({ id }) => id)).size).toBe(100);
    const where = { teamId: team.caller.teamId, status: 'indexed' as const };
    await waitUntil(async () => (await service.context.db.document.count({ where })) === 100, {
      what: 'the documents to be indexed',
      timeoutMs: 20_000,
    });
  });

  it('stores the other documents if one fails', async () => {
    const team = await newTeam();
    const foreign = await newTeam();
    const [taken] = await createOneByOne(foreign, [{ title: 'Leave', content: 'Thirty days.' }]);
    const { results } = await createBatch(team, [
      { title: 'A', content: 'First.' },
      { title: 'B', content: 'With the id of another document.', id: taken },
      { title: 'C', content: 'With an invalid id.', id: 'doc_1' },
      { title: 'D', content: 'Last.' },
    ]);
    expect(results.map(({ error }) => error?.code)).toEqual([undefined, 'conflict', 'invalid_request', undefined]);
    expect((await storedDocuments(team)).map(({ title }) => title)).toEqual(['A', 'D']);
  });

  it('stores nothing twice when it is sent again with the same ids', async () => {
    const team = await newTeam();
    const documents = ['A', 'B', 'C'].map((title) => ({ title, content: title, id: newId('document') }));
    await createBatch(team, documents.slice(0, 2));
    const { results } = await createBatch(team, documents);
    expect(results.map(({ id }) => id)).toEqual(documents.map(({ id }) => id));
    expect(await storedDocuments(team)).toHaveLength(3);
  });

  it('fails as a whole for an unknown collection', async () => {
    const { call } = await newTeam();
    const request = { collectionId: newId('collection'), documents: [{ title: 'A', content: 'A' }] };
    await expect(service.documents.createDocuments(request, call)).rejects.toMatchObject({ code: 'not_found' });
  });
});
