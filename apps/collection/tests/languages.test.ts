import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DocumentStatus } from '@lectern/contracts';
import { callAs, createCaller, waitUntil } from '@lectern/testing';
import { createLanguageCounter } from '#collections/collection-languages';
import { createIndexWrites } from '#indexing/index-writes';
import { startTestCollection, type TestCollection } from './start-collection.ts';

const ENGLISH = 'The notice period of every contract is three months to the end of the quarter.';
const GERMAN = 'Die Kündigungsfrist für alle Verträge beträgt drei Monate zum Ende des Quartals.';
const RUSSIAN = 'Ежегодный отпуск составляет двадцать восемь дней.';

const caller = createCaller();
let service: TestCollection;
let collectionId: string;

beforeEach(async () => {
  service = await startTestCollection();
  collectionId = (await service.collections.createCollection({ name: 'C' }, callAs(caller))).id;
});
afterEach(() => service.stop());

async function add(...contents: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const content of contents) {
    ids.push((await service.documents.createDocument({ collectionId, title: 'D', content }, callAs(caller))).id);
  }
  for (const id of ids) {
    const isIndexed = async () =>
      (await service.documents.getDocument({ id }, callAs(caller))).status === DocumentStatus.INDEXED;
    await waitUntil(isIndexed, { what: `${id} to be indexed`, timeoutMs: 20_000 });
  }
  return ids;
}

async function languages(): Promise<readonly string[] | undefined> {
  const { collections } = await service.collections.resolveCollections({ ids: [collectionId] }, callAs(caller));
  return collections[0]?.languages?.codes;
}

const untilLanguagesAre = (expected: readonly string[] | undefined) =>
  waitUntil(async () => JSON.stringify(await languages()) === JSON.stringify(expected), {
    what: `the languages to be ${expected}`,
    timeoutMs: 20_000,
  });

describe('the languages of a collection', () => {
  it('are those of its documents', async () => {
    expect(await languages()).toEqual([]);
    await add(ENGLISH);
    expect(await languages()).toEqual(['en']);
    await add(GERMAN, RUSSIAN);
    expect(new Set(await languages())).toEqual(new Set(['en', 'de', 'ru']));
  });

  it('change in the transaction that indexes a document', async () => {
    const [id = ''] = await add(ENGLISH);
    const isOneTransaction = async () => {
      const [row] = await service.context.db.$queryRaw<{ readonly same: boolean }[]>`
        SELECT d.xmin = c.xmin AS same FROM documents AS d JOIN collections AS c ON c.id = d.collection_id WHERE d.id = ${id}`;
      return row?.same;
    };
    expect(await isOneTransaction()).toBe(true);
    await add(ENGLISH);
    expect(await isOneTransaction()).toBe(true);
  });

  it('are complete after several processes index documents at the same time', async () => {
    const call = callAs(caller);
    const other = (await service.collections.createCollection({ name: 'D' }, call)).id;
    const ids = await add(...Array.from({ length: 12 }, () => ENGLISH));
    const { db, store } = service.context;
    await db.document.updateMany({ where: { id: { in: ids.slice(6) } }, data: { collectionId: other } });
    await db.document.updateMany({ where: { id: { in: ids } }, data: { status: 'processing', languages: [] } });
    await db.collection.updateMany({ data: { languages: [] } });
    const { embeddingModel: model } = await db.collection.findUniqueOrThrow({ where: { id: other } });
    const processes = [1, 2, 3].map(() => createIndexWrites(db, store));
    const commits = ids.map((id, at) =>
      processes[at % processes.length]?.commit({ id, version: 1, model, chunkCount: 1, languages: [`l${at % 6}`] }),
    );
    expect((await Promise.all(commits)).map((row) => row?.id)).toEqual(ids);
    for (const { languages } of await db.collection.findMany({ where: { id: { in: [collectionId, other] } } })) {
      expect(languages).toEqual(expect.arrayContaining(['l0', 'l1', 'l2', 'l3', 'l4', 'l5']));
      expect(new Set(languages).size).toBe(languages.length);
    }
  });

  it('lose the language of deleted and replaced documents, and list the most frequent first', async () => {
    const [first = '', , , russian = ''] = await add(ENGLISH, GERMAN, GERMAN, RUSSIAN);
    await service.documents.deleteDocument({ id: russian }, callAs(caller));
    await untilLanguagesAre(['de', 'en']);
    await service.documents.deleteDocument({ id: first }, callAs(caller));
    await untilLanguagesAre(['de']);
  });

  it('are unknown until documents of an earlier version are analyzed again', async () => {
    await add(ENGLISH, GERMAN);
    const { db } = service.context;
    // Only indexed documents are analyzed again.
    await db.$executeRaw`UPDATE documents SET indexed_analysis = 0, languages = '{}', status = 'processing'`;
    await db.$executeRaw`UPDATE collections SET languages = '{}', languages_stale = true`;
    await untilLanguagesAre(undefined);
    await db.$executeRaw`UPDATE documents SET status = 'indexed'`;
    await untilLanguagesAre(['de', 'en']);
  });

  it('become known although a document cannot be analyzed again', async () => {
    const [, lost = '', stuck = ''] = await add(ENGLISH, GERMAN, RUSSIAN);
    const { db } = service.context;
    await db.$executeRaw`
      UPDATE documents SET indexed_analysis = 0, languages = '{}', indexed_model = NULL WHERE id = ${lost}`;
    await db.$executeRaw`
      UPDATE documents SET indexed_analysis = 0, languages = '{}', status = 'pending', updated_at = now() - interval '2 hours'
      WHERE id = ${stuck}`;
    await db.$executeRaw`UPDATE collections SET languages = '{}', languages_known = false, languages_stale = true`;
    await untilLanguagesAre(['en']);
  });

  it('are counted once while documents wait to be indexed, and again when they are indexed', async () => {
    const [first = ''] = await add(ENGLISH, GERMAN);
    const { db } = service.context;
    const count = createLanguageCounter({ db });
    await db.$executeRaw`UPDATE documents SET status = 'pending' WHERE id = ${first}`;
    const mark = () => db.$executeRaw`UPDATE collections SET languages = '{}', languages_stale = true`;
    await mark();
    expect(await count()).toBe(1);
    await mark();
    expect(await count()).toBe(0);
    await db.$executeRaw`UPDATE documents SET status = 'indexed' WHERE id = ${first}`;
    await count();
    await untilLanguagesAre(['de', 'en']);
  });

  it('are not counted while documents wait to be analyzed', async () => {
    await add(ENGLISH);
    const { db } = service.context;
    // The service does not analyze pending documents.
    await db.$executeRaw`UPDATE documents SET indexed_analysis = 0, status = 'pending'`;
    await db.$executeRaw`UPDATE collections SET languages_known = false, languages_stale = true`;
    expect(await createLanguageCounter({ db })()).toBe(0);
    expect(await languages()).toBeUndefined();
  });
});
