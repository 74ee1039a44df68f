import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QdrantClient } from '@qdrant/js-client-rest';
import fc from 'fast-check';
import {
  collectionName,
  createVectorStore,
  documentKey,
  formerPointId,
  type Passage,
  pointId,
  type SearchRequest,
  type VectorStore,
} from '#index';
import { buildPassage, direction, terms } from './build-passage.ts';
import { startTestStore } from './start-test-store.ts';

const WORDS = ['holiday', 'salary', 'laptop', 'leave', 'policy'];

describe('points with the ids of an earlier version', () => {
  let context: Awaited<ReturnType<typeof startTestStore>>;
  let store: VectorStore;
  let client: QdrantClient;
  let collection = '';
  let team = '';
  let teams = 0;

  beforeAll(async () => {
    context = await startTestStore();
    store = context.store;
    collection = collectionName(context.prefix, 'test');
    const { url, apiKey } = context.server;
    client = new QdrantClient({ url, ...(apiKey !== undefined && { apiKey }), checkCompatibility: false });
  });
  afterAll(() => context.close());

  /** A store without the memory of earlier searches. */
  const newStore = () =>
    createVectorStore({ url: context.server.url, apiKey: context.server.apiKey, prefix: context.prefix });

  const ofTeam = () => ({ must: [{ key: 'team', match: { value: team } }] });

  async function readPoints() {
    const page = await client.scroll(collection, {
      filter: ofTeam(),
      limit: 1_000,
      with_payload: true,
      with_vector: true,
    });
    return page.points.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Gives the points of these documents the ids that an earlier version gave them. */
  async function makeFormer(documents: ReadonlySet<string>) {
    for (const { id, vector, payload } of await readPoints()) {
      const { document, version, chunk } = payload as { document: string; version: number; chunk: number };
      if (!documents.has(document)) continue;
      const former = {
        id: formerPointId(document, version, chunk),
        vector: vector as never,
        payload: payload as never,
      };
      await client.upsert(collection, { wait: true, points: [former] });
      await client.delete(collection, { wait: true, points: [id] });
    }
  }

  const formerPages = (document: string) => store.scrollFormerIds('test', { team, document });
  const renew = (ids: readonly string[]) => store.renewPoints('test', { team, ids, principals: ['public'] });

  const search = (fields: Partial<SearchRequest> = {}): SearchRequest =>
    ({
      team,
      mode: 'hybrid',
      sparse: terms('holiday salary'),
      dense: [{ space: 's1', vector: direction(20) }],
      document: { words: terms('holiday salary'), weight: 1 },
      offset: 0,
      limit: 50,
      passagesPerDocument: 3,
      candidates: 50,
      ...fields,
    }) as SearchRequest;

  const passage = fc.record({
    words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
    angle: fc.integer({ min: 0, max: 90 }),
  });
  const documents = fc.array(
    fc.record({ passages: fc.array(passage, { minLength: 1, maxLength: 3 }), isFormer: fc.boolean() }),
    { minLength: 1, maxLength: 8 },
  );

  async function storeDocuments(
    list: readonly { passages: readonly { words: readonly string[]; angle: number }[] }[],
  ): Promise<Passage[]> {
    teams += 1;
    team = `team_${teams}`;
    const passages = list.flatMap(({ passages }, at) =>
      passages.map(({ words, angle }, chunk) =>
        buildPassage({
          team,
          document: `doc_${teams}_${at}`,
          chunk,
          text: words.join(' '),
          dense: direction(angle),
          space: 's1',
          ...(chunk === 0 && {
            documentWords: terms(passages.flatMap(({ words }) => words).join(' ')),
            terms: terms(words.join(' ')).indices,
          }),
        }),
      ),
    );
    await store.upsertPassages('test', passages);
    return passages;
  }

  /** What a search finds, without the order of equal scores, which are ordered by id. */
  async function found(current: VectorStore, request = search()) {
    const { hits, total } = await current.search('test', request);
    const shown = hits.map(({ document, score, passages }) => ({
      document,
      score: score.toFixed(4),
      passages: passages.map(({ text, score }) => `${text} ${score.toFixed(4)}`).toSorted(),
    }));
    return { total, shown: shown.toSorted((a, b) => (a.document < b.document ? -1 : 1)) };
  }

  it('are found like the others, and after they are stored again', async () => {
    await fc.assert(
      fc.asyncProperty(documents, async (list) => {
        await storeDocuments(list);
        const before = await readPoints();
        const expected = await found(store);
        const traitsOf = async (current: VectorStore) => {
          const { firstPassages, ranking } = await current.rank('test', search());
          const first = firstPassages(ranking.map(({ key }) => key));
          return new Map([...(await current.readTraits('test', { team, first }))].toSorted());
        };
        const traits = await traitsOf(store);
        const ids = new Set(list.flatMap(({ isFormer }, at) => (isFormer ? `doc_${teams}_${at}` : [])));
        await makeFormer(ids);
        for (const current of [newStore(), store]) {
          expect(await found(current)).toEqual(expected);
          expect(await traitsOf(current)).toEqual(traits);
          expect(await current.count('test', { team })).toEqual({ documents: list.length, passages: before.length });
        }
        for (const document of ids) {
          for await (const page of formerPages(document)) {
            await renew(page);
            expect(await traitsOf(newStore())).toEqual(traits);
          }
        }
        expect(await readPoints()).toEqual(before);
        expect(await found(newStore())).toEqual(expected);
        expect(await Array.fromAsync(formerPages(`doc_${teams}_0`))).toEqual([]);
      }),
      { numRuns: 10 },
    );
  });

  it('are compared by feedback', async () => {
    await storeDocuments([0, 30, 40, 90].map((angle) => ({ passages: [{ words: ['holiday'], angle }] })));
    const request = search({ feedback: { weight: 0.3, examples: 1, documents: 20 } });
    const expected = await found(store, request);
    expect(expected).not.toEqual(await found(store));
    await makeFormer(new Set([`doc_${teams}_0`, `doc_${teams}_2`]));
    expect(await found(newStore(), request)).toEqual(expected);
  });

  it('are stored again with the readers that the document has now', async () => {
    await storeDocuments([{ passages: [{ words: ['holiday'], angle: 0 }] }]);
    const document = `doc_${teams}_0`;
    await makeFormer(new Set([document]));
    const principals = ['user:ada@example.com'];
    for await (const ids of formerPages(document)) await store.renewPoints('test', { team, ids, principals });
    expect((await readPoints()).map(({ payload }) => payload?.principals)).toEqual([principals]);
  });

  it('are replaced when the same version is stored again', async () => {
    const passages = await storeDocuments([{ passages: [{ words: ['holiday'], angle: 0 }] }]);
    const document = `doc_${teams}_0`;
    await makeFormer(new Set([document]));
    await store.upsertPassages('test', passages);
    expect((await readPoints()).map(({ id }) => id)).toEqual([pointId(document, 1, 0)]);
  });

  it('are deleted with their document or version', async () => {
    await storeDocuments([0, 1, 2].map((angle) => ({ passages: [{ words: ['holiday'], angle }] })));
    const [a = '', b = '', c = ''] = [0, 1, 2].map((at) => `doc_${teams}_${at}`);
    await makeFormer(new Set([a, b, c]));
    await store.deleteDocument('test', { team, document: a });
    await store.deleteVersion('test', { team, document: b, version: 1 });
    expect((await store.rank('test', search())).ranking.map(({ key }) => key)).toEqual([documentKey(c)]);
    await store.deleteDocument('test', { team, document: c, beforeVersion: 2 });
    expect(await readPoints()).toEqual([]);
  });
});
