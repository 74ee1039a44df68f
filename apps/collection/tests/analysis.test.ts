import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DocumentStatus } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';
import { callAs, createCaller, waitUntil } from '@lectern/testing';
import { ANALYSIS_VERSION } from '@lectern/text';
import { formerPointId, POINTS_VERSION, pointId, type VectorStore } from '@lectern/vector-store';
import { QdrantClient } from '@qdrant/js-client-rest';
import { createAnalysisRefresher } from '#analysis/refresh-analysis';
import { startTestCollection, type TestCollection } from './start-collection.ts';

let service: TestCollection;
let qdrant: QdrantClient;
const long = Array.from({ length: 400 }, (_, at) => `Sentence ${at} of release v1.2.${at} is about budgets 🎉.`).join(
  ' ',
);

async function start(settings: Record<string, string> = {}) {
  service = await startTestCollection({}, settings);
  qdrant = new QdrantClient({ url: service.context.config.QDRANT_URL, checkCompatibility: false });
}

beforeEach(() => start());
afterEach(() => service.stop());

async function readPoints() {
  const { collections } = await qdrant.getCollections();
  const pages = await Promise.all(
    collections.map(({ name }) => qdrant.scroll(name, { limit: 1_000, with_payload: true, with_vector: true })),
  );
  const points = pages.flatMap((page) => page.points).sort((a, b) => String(a.id).localeCompare(String(b.id)));
  // The order of words does not matter.
  return points.map((point) => {
    const terms = point.payload?.terms;
    const payload: Record<string, unknown> = { ...point.payload };
    if (Array.isArray(terms)) payload.terms = terms.map(Number).sort();
    return { ...point, payload };
  });
}

/**
 * Creates documents as an earlier analysis version left them: with other words in the points, and
 * without a version in the rows.
 */
async function startWithOlderAnalysis() {
  const call = callAs(createCaller());
  const { id: collectionId } = await service.collections.createCollection({ name: 'C' }, call);
  const ids: string[] = [];
  for (const content of ['Release v1.2.3 🎉', long]) {
    ids.push((await service.documents.createDocument({ collectionId, title: 'R', content }, call)).id);
  }
  const all = () => Promise.all(ids.map((id) => service.documents.getDocument({ id }, call)));
  const isDone = async () => (await all()).every(({ status }) => status === DocumentStatus.INDEXED);
  await waitUntil(isDone, { what: 'the documents to be indexed', timeoutMs: 20_000 });
  const before = { points: await readPoints(), documents: await all() };
  expect(before.points.length).toBeGreaterThan(2);
  const { collections } = await qdrant.getCollections();
  for (const { name } of collections) {
    const points = before.points.map(({ id }) => ({ id, vector: { text: { indices: [1], values: [1] } } }));
    await qdrant.updateVectors(name, { wait: true, points });
    const filter = { must: [{ key: 'chunk', match: { value: 0 } }] };
    await qdrant.setPayload(name, { wait: true, payload: { terms: [1] }, filter });
    await qdrant.deletePayload(name, { wait: true, keys: ['sketch'], filter });
  }
  return { before, ids, call, all, name: collections[0]?.name ?? '' };
}

/** Gives all points the ids of an earlier version, and readers that their documents no longer have. */
async function makeFormer(name: string) {
  for (const { payload, id, vector } of await readPoints()) {
    const former = formerPointId(String(payload.document), Number(payload.version), Number(payload.chunk));
    // The vectors were read from the server itself.
    const point = {
      id: former,
      vector: vector as never,
      payload: { ...payload, principals: ['user:gone@example.com'] },
    };
    await qdrant.upsert(name, { wait: true, points: [point] });
    await qdrant.delete(name, { wait: true, points: [id] });
  }
}

const resetAnalysisVersion = () => service.context.db.$executeRaw`UPDATE documents SET indexed_analysis = 0`;
const untilRefreshed = () =>
  waitUntil(
    async () =>
      (await service.context.db.document.count({ where: { indexedAnalysis: { lt: ANALYSIS_VERSION } } })) === 0,
    { what: 'the words to be up to date', timeoutMs: 20_000 },
  );

describe('documents that an older analysis version indexed', () => {
  it('get the new words automatically, and nothing else changes', async () => {
    const { before, all } = await startWithOlderAnalysis();
    expect(await readPoints()).not.toEqual(before.points);
    await resetAnalysisVersion();
    await untilRefreshed();
    expect(await readPoints()).toEqual(before.points);
    expect(await all()).toEqual(before.documents);
  });

  it('keep their readers in the vector store', async () => {
    const { name } = await startWithOlderAnalysis();
    await qdrant.setPayload(name, { wait: true, payload: { principals: ['user:ada@example.com'] }, filter: {} });
    await resetAnalysisVersion();
    await untilRefreshed();
    const readers = new Set((await readPoints()).map(({ payload }) => JSON.stringify(payload?.principals)));
    expect([...readers]).toEqual(['["user:ada@example.com"]']);
  });

  it('are not restored if they were deleted in the meantime', async () => {
    const { ids, call } = await startWithOlderAnalysis();
    await resetAnalysisVersion();
    const [deleted = ''] = ids;
    await service.documents.deleteDocument({ id: deleted }, call);
    await waitUntil(
      async () => (await service.context.db.document.count({ where: { indexedAnalysis: 0, status: 'indexed' } })) === 0,
      { what: 'the words to be up to date', timeoutMs: 20_000 },
    );
    await waitUntil(async () => (await readPoints()).every(({ payload }) => payload?.document !== deleted), {
      what: 'the points of the deleted document to be removed',
      timeoutMs: 20_000,
    });
  });

  it('get points of the current form, with the readers that they have now', async () => {
    const { before, ids, name, all } = await startWithOlderAnalysis();
    await makeFormer(name);
    await service.context.db.$executeRaw`UPDATE documents SET indexed_analysis = 0, indexed_points = 0`;
    await untilRefreshed();
    expect(await readPoints()).toEqual(before.points);
    expect(await all()).toEqual(before.documents);
    const current = { indexedPoints: POINTS_VERSION };
    expect(await service.context.db.document.count({ where: current })).toBe(ids.length);
  });

  it('get the readers that they have now although the process stopped in between', async () => {
    await service.stop();
    await start({ SWEEP_INTERVAL_MS: '3600000' });
    const { before, ids, name } = await startWithOlderAnalysis();
    await makeFormer(name);
    await service.context.db.$executeRaw`UPDATE documents SET indexed_points = 0`;
    let failures = 0;
    const store: VectorStore = {
      ...service.context.store,
      renewPoints: async (model, request) => {
        await service.context.store.renewPoints(model, request);
        if (failures++ < ids.length) throw new AppError('unavailable', 'Stopped.');
      },
    };
    const refresh = createAnalysisRefresher({ ...service.context, store });
    for (let round = 0; round < 3; round++) await refresh(new AbortController().signal);
    expect(await service.context.db.document.count({ where: { indexedPoints: POINTS_VERSION } })).toBe(ids.length);
    const readers = (points: typeof before.points) => points.map(({ id, payload }) => [id, payload.principals]);
    expect(readers(await readPoints())).toEqual(readers(before.points));
  });

  it('are not restored if they are deleted while a page is stored again', async () => {
    await service.stop();
    await start({ SWEEP_INTERVAL_MS: '3600000' });
    const { ids, call, name } = await startWithOlderAnalysis();
    const deleted = ids[1] ?? '';
    await makeFormer(name);
    const { db } = service.context;
    await db.$executeRaw`UPDATE documents SET indexed_points = 0 WHERE id = ${deleted}`;
    const isBlocked = async () => {
      const [row] = await db.$queryRaw<{ blocked: number }[]>`
        SELECT count(*)::int AS blocked FROM pg_stat_activity
        WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;
      return row?.blocked === 1;
    };
    let deletion: Promise<unknown> = Promise.resolve();
    let pages = 0;
    let stored = 0;
    const store: VectorStore = {
      ...service.context.store,
      renewPoints: async (model, request) => {
        if (pages++ === 0) deletion = service.documents.deleteDocument({ id: deleted }, call);
        await waitUntil(isBlocked, { what: 'the deletion to wait for the page', timeoutMs: 5_000 });
        await service.context.store.renewPoints(model, request);
        stored++;
      },
    };
    await createAnalysisRefresher({ ...service.context, store })(new AbortController().signal);
    await deletion;
    expect({ pages, stored }).toEqual({ pages: 1, stored: 1 });
    expect((await readPoints()).filter(({ payload }) => payload.document === deleted)).toEqual([]);
    expect(await db.document.count({ where: { id: deleted, indexedPoints: 0, status: 'deleted' } })).toBe(1);
  });

  it('are left alone if they are indexed again in the meantime', async () => {
    await service.stop();
    await start({ SWEEP_INTERVAL_MS: '3600000' });
    const { ids, name } = await startWithOlderAnalysis();
    const [first = ''] = ids;
    await makeFormer(name);
    await service.context.db.$executeRaw`UPDATE documents SET indexed_points = 0 WHERE id = ${first}`;
    const stored = await readPoints();
    const store: VectorStore = {
      ...service.context.store,
      scrollFormerIds: async function* (model, request) {
        await service.context.db.$executeRaw`UPDATE documents SET indexed_version = 2 WHERE id = ${first}`;
        yield* service.context.store.scrollFormerIds(model, request);
      },
    };
    await createAnalysisRefresher({ ...service.context, store })(new AbortController().signal);
    expect(await readPoints()).toEqual(stored);
    expect(await service.context.db.document.count({ where: { indexedPoints: 0 } })).toBe(1);
  });

  it('are not written again if the vector store rejected them, until the next start', async () => {
    await service.stop();
    await start({ SWEEP_INTERVAL_MS: '3600000' });
    const { ids } = await startWithOlderAnalysis();
    await resetAnalysisVersion();
    const failures = [new AppError('unavailable', 'Down.'), new AppError('internal_error', 'Rejected.')];
    const written: string[] = [];
    const store: VectorStore = {
      ...service.context.store,
      updateWords: async (model, update) => {
        const document = update.document?.id;
        if (document === undefined || document !== pointId(ids[0] ?? '', 1, 0)) {
          return service.context.store.updateWords(model, update);
        }
        written.push(document);
        throw failures[written.length - 1] ?? new Error('was written again');
      },
    };
    const refresh = createAnalysisRefresher({ ...service.context, store });
    for (let round = 0; round < 4; round++) await refresh(new AbortController().signal);
    expect(written).toHaveLength(failures.length);
    expect(await service.context.db.document.count({ where: { indexedAnalysis: ANALYSIS_VERSION } })).toBe(1);
    await createAnalysisRefresher(service.context)(new AbortController().signal);
    expect(await service.context.db.document.count({ where: { indexedAnalysis: ANALYSIS_VERSION } })).toBe(2);
  });
});
