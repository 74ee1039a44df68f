import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createVectorStore, type VectorStore } from '#index';
import { buildPassage, direction, terms } from './build-passage.ts';
import { startTestStore } from './start-test-store.ts';

/** Starts a proxy that records the body of every request about points. */
async function startRecorder(target: string): Promise<{ url: string; bodies: Map<string, unknown[]>; server: Server }> {
  const bodies = new Map<string, unknown[]>();
  const server = createServer(async (request, response) => {
    const received = (await request.toArray()).join('');
    const operation = request.url?.match(/\/(points.*|facet)$/)?.[1]?.replace(/\?.*/, '');
    if (operation && operation !== 'points')
      bodies.set(operation, [...(bodies.get(operation) ?? []), JSON.parse(received)]);
    const { method = 'GET', headers } = request;
    const forwarded = await fetch(new URL(request.url ?? '/', target), {
      method,
      headers: { 'content-type': 'application/json', 'api-key': headers['api-key']?.toString() ?? '' },
      ...(received === '' ? {} : { body: received }),
    });
    response.writeHead(forwarded.status, { 'content-type': 'application/json' }).end(await forwarded.text());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, bodies, server };
}

/** Returns all filters of a request, including those of each search or operation of a batch. */
function filtersOf(body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null) return [];
  const { filter, update_filter, searches, operations } = body as Record<string, unknown[] | undefined>;
  const inner = searches ?? operations?.flatMap((operation) => Object.values(operation as object));
  return inner ? inner.flatMap(filtersOf) : [filter ?? update_filter];
}

describe('every request about points', () => {
  let context: Awaited<ReturnType<typeof startTestStore>>;
  let recorder: Awaited<ReturnType<typeof startRecorder>>;
  let store: VectorStore;

  beforeAll(async () => {
    context = await startTestStore();
    recorder = await startRecorder(context.server.url);
    store = createVectorStore({ url: recorder.url, apiKey: context.server.apiKey, prefix: context.prefix });
  });
  afterAll(async () => {
    recorder.server.closeAllConnections();
    recorder.server.close();
    await context.close();
  });

  it('has the team in each of its filters', async () => {
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
      'points/query/groups',
      'points/scroll',
    ];
    expect([...recorder.bodies.keys()].sort()).toEqual(operations);
    const filters = [...recorder.bodies.values()].flat().flatMap(filtersOf);
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
