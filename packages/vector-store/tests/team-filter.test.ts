import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type QdrantRecorder, recordQdrant } from '@lectern/testing';
import { createVectorStore, formerPointId, type VectorStore } from '#index';
import { buildPassage, direction, terms } from './build-passage.ts';
import { startTestStore } from './start-test-store.ts';

/** Returns all filters of a request, including those of each search or operation of a batch. */
function filtersOf(body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null) return [];
  const { filter, update_filter, searches, operations } = body as Record<string, unknown[] | undefined>;
  const inner = searches ?? operations?.flatMap((operation) => Object.values(operation as object));
  // The points of an upsert have a team of their own.
  if ('points' in body && update_filter === undefined) return [];
  return inner ? inner.flatMap(filtersOf) : [filter ?? update_filter];
}

describe('every request about points', () => {
  let context: Awaited<ReturnType<typeof startTestStore>>;
  let recorder: QdrantRecorder;
  let store: VectorStore;

  beforeAll(async () => {
    context = await startTestStore();
    recorder = await recordQdrant(context.server.url);
    store = createVectorStore({ url: recorder.url, apiKey: context.server.apiKey, prefix: context.prefix });
  });
  afterAll(async () => {
    recorder.stop();
    await context.close();
  });

  it('has the team in each of its filters, and asks for no compression', async () => {
    const team = 'team_a';
    await store.upsertPassages('test', [buildPassage({ documentWords: terms('salary') })]);
    const page = { team, limit: 5, offset: 0, passagesPerDocument: 1, candidates: 10 };
    const vectors = { sparse: terms('holiday'), dense: direction(0) };
    for (const mode of ['keyword', 'semantic', 'hybrid'] as const)
      await store.search('test', { ...page, ...vectors, mode });
    const document = { words: terms('salary'), weight: 1 };
    await store.search('test', { ...page, mode: 'keyword', sparse: terms('laptop'), document });
    await store.count('test', { team });
    await store.facet('test', { team, field: 'type', limit: 5 });
    await store.countByDocument('test', { team, documents: ['doc_1'] });
    for await (const { document } of store.scrollDocuments('test', { team })) expect(document).toBe('doc_1');
    for await (const passages of store.scrollPassages('test', { team, outsideSpace: 'next' })) {
      const moved = passages.map(({ id }) => ({ id, dense: direction(0) }));
      await store.movePassages('test', { team, space: 'next', passages: moved });
    }
    expect(await Array.fromAsync(store.scrollFormerIds('test', { team, document: 'doc_1' }))).toEqual([]);
    await store.renewPoints('test', { team, ids: [formerPointId('doc_1', 1, 0)], principals: ['public'] });
    await store.narrowPrincipals('test', { team, document: 'doc_1', beforeVersion: 2, principals: [] });
    await store.deleteVersion('test', { team, document: 'doc_1', version: 1 });
    await store.deleteDocument('test', { team, document: 'doc_1', beforeVersion: 2 });
    await store.deleteDocuments('test', { team, documents: ['doc_1'] });
    await store.deleteCollection('test', { team, collection: 'col_1' });

    const operations = [
      'facet',
      'points/batch',
      'points/count',
      'points/delete',
      'points/query/batch',
      'points/scroll',
    ];
    expect([...new Set(recorder.requests.map(({ operation }) => operation))].sort()).toEqual(operations);
    // With compression, Qdrant's answers wait for a delayed ACK.
    for (const { headers } of recorder.requests) expect(headers['accept-encoding']).toBe('identity');
    const filters = recorder.requests.flatMap(({ body }) => filtersOf(body));
    expect(filters.length).toBeGreaterThan(14);
    for (const filter of filters) {
      expect(filter).toMatchObject({ must: expect.arrayContaining([{ key: 'team', match: { value: team } }]) });
    }
  });

  it('does not compile without a team', () => {
    const page = { limit: 1, offset: 0, passagesPerDocument: 1, candidates: 1 };
    const requests = () => [
      // @ts-expect-error team is missing
      store.count('test', {}),
      // @ts-expect-error team is missing
      store.facet('test', { field: 'type', limit: 5 }),
      // @ts-expect-error team is missing
      store.scrollDocuments('test', {}),
      // @ts-expect-error team is missing
      store.search('test', { ...page, mode: 'semantic', dense: direction(0) }),
      // @ts-expect-error team is missing
      store.deleteDocument('test', { document: 'doc_1' }),
      // @ts-expect-error team is missing
      store.deleteCollection('test', { collection: 'col_1' }),
    ];
    expect(requests).toBeInstanceOf(Function);
  });
});
