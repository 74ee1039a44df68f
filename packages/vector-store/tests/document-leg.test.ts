import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QdrantClient } from '@qdrant/js-client-rest';
import fc from 'fast-check';
import {
  collectionName,
  documentKey,
  type HybridSearch,
  type KeywordSearch,
  type Passage,
  pointId,
  type SparseVector,
} from '#index';
import { buildPassage, direction, terms } from './build-passage.ts';
import { startTestStore, TEST_DIMENSIONS } from './start-test-store.ts';

type Context = Awaited<ReturnType<typeof startTestStore>>;

const PAGE = { team: 'team_a', offset: 0, limit: 50, passagesPerDocument: 3, candidates: 50 } as const;
const keyword = (query: string, weight = 0.5): KeywordSearch & typeof PAGE => ({
  ...PAGE,
  mode: 'keyword',
  sparse: terms(query),
  document: { words: terms(query), weight },
});

/** One passage for each text; the first has the words of all. */
const documentOf = (document: string, texts: readonly string[], more: Partial<Passage> = {}): Passage[] =>
  texts.map((text, chunk) =>
    buildPassage({ document, chunk, text, ...(chunk === 0 && { documentWords: terms(texts.join(' ')) }), ...more }),
  );

/** The dot product of query and vector, each word weighted by its rarity among the vectors. */
function score(query: SparseVector, vector: SparseVector, all: readonly SparseVector[]): number {
  return query.indices.reduce((sum, index, at) => {
    const withWord = all.filter(({ indices }) => indices.includes(index)).length;
    const idf = Math.log(1 + (all.length - withWord + 0.5) / (withWord + 0.5));
    return sum + (query.values[at] ?? 0) * idf * (vector.values[vector.indices.indexOf(index)] ?? 0);
  }, 0);
}

describe('the document leg', () => {
  let context: Context;
  beforeAll(async () => {
    context = await startTestStore();
  });
  afterAll(() => context.close());

  it('ranks a document first whose words are spread over its passages', async () => {
    await context.store.upsertPassages('test', [
      ...documentOf('doc_spread', ['holiday', 'laptop', 'travel'], { team: 'team_spread' }),
      ...documentOf('doc_one', ['holiday salary', 'salary salary'], { team: 'team_spread' }),
      ...documentOf('doc_other', ['policy'], { team: 'team_spread' }),
    ]);
    const request = { ...keyword('holiday laptop travel'), team: 'team_spread' };
    const { hits } = await context.store.search('test', request);
    expect(hits.map(({ document }) => document)).toEqual(['doc_spread', 'doc_one']);
    const { hits: without } = await context.store.search('test', { ...request, document: undefined });
    expect(without[0]!.score).toBeLessThan(2 * without[1]!.score);
  });

  it('shows the best passage of a document that only this leg found', async () => {
    await context.store.upsertPassages('test', [
      ...documentOf('doc_found', ['policy', 'salary laptop'], { team: 'team_found' }),
      ...documentOf('doc_first', ['laptop laptop'], { team: 'team_found' }),
    ]);
    const request = { ...keyword('laptop'), team: 'team_found', candidates: 2, passagesPerDocument: 1 };
    const leg = { words: terms('policy salary'), weight: 0.5 };
    const { hits } = await context.store.search('test', { ...request, candidates: 1, document: leg });
    const found = hits.find(({ document }) => document === 'doc_found')!;
    expect(found.passages.map(({ text }) => text)).toEqual(['salary laptop']);
  });

  it('shows the best passages of all such documents, and the first one of a document without the words', async () => {
    const team = 'team_words';
    const texts = ['policy', 'salary', 'salary salary laptop', 'salary laptop', 'travel'];
    const candidates = 4;
    const strongest = Array.from({ length: candidates }, () => 'salary salary salary laptop laptop');
    await context.store.upsertPassages('test', [
      ...['doc_a', 'doc_b', 'doc_c'].flatMap((document) => documentOf(document, texts, { team })),
      ...documentOf('doc_none', ['policy', 'travel'], { team }),
      ...documentOf('doc_strongest', strongest, { team }),
    ]);
    const leg = { words: terms('policy'), weight: 0.5 };
    const request = { ...keyword('salary laptop'), team, candidates, passagesPerDocument: 2, document: leg };
    const { hits } = await context.store.search('test', request);
    const best = ['salary salary laptop', 'salary laptop'];
    expect(
      Object.fromEntries(hits.map(({ document, passages }) => [document, passages.map(({ text }) => text)])),
    ).toEqual({ doc_a: best, doc_b: best, doc_c: best, doc_none: ['policy'], doc_strongest: strongest.slice(0, 2) });
  });

  it('scores as the mean of the best passage and the whole document, by their weights', async () => {
    const words = ['holiday', 'salary', 'laptop', 'leave', 'parent', 'policy', 'travel', 'password'];
    const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((list) => list.join(' '));
    let team = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
        text,
        async (documents, query) => {
          team += 1;
          const own = `team_${team}`;
          const stored = documents.map((texts, at) => documentOf(`doc_${at}`, texts, { team: own }));
          await context.store.upsertPassages('test', stored.flat());
          const { hits } = await context.store.search('test', { ...keyword(query), team: own });
          const passages = stored.flat().map(({ sparse }) => sparse);
          const wholes = stored.map(([first]) => first!.documentWords!);
          const expected = stored
            .map((own, at) => {
              const best = Math.max(...own.map(({ sparse }) => score(terms(query), sparse, passages)));
              return { document: `doc_${at}`, score: (best + 0.5 * score(terms(query), wholes[at]!, wholes)) / 1.5 };
            })
            .filter(({ score }) => score > 0);
          expect(hits).toHaveLength(expected.length);
          for (const { document, score } of hits) {
            expect(score).toBeCloseTo(expected.find((entry) => entry.document === document)!.score, 3);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('counts words only over the documents of the scope', async () => {
    const fields = { team: 'team_scope', principals: ['public'] };
    await context.store.upsertPassages('test', [
      ...documentOf('doc_a', ['holiday'], fields),
      ...documentOf('doc_b', ['salary'], fields),
    ]);
    const request = { ...keyword('holiday salary'), team: 'team_scope', principals: ['public'] };
    const before = await context.store.search('test', request);
    const hidden = Array.from({ length: 5 }, (_, at) =>
      documentOf(`doc_hidden_${at}`, ['holiday'], { ...fields, principals: ['user:x'] }),
    );
    await context.store.upsertPassages('test', hidden.flat());
    expect(await context.store.search('test', request)).toEqual(before);
  });

  it('is added to a collection of an older version, and left out until then', async () => {
    const { url, apiKey } = context.server;
    const qdrant = new QdrantClient({ url, checkCompatibility: false, ...(apiKey && { apiKey }) });
    const name = collectionName(context.prefix, 'older');
    await qdrant.createCollection(name, {
      vectors: { dense: { size: TEST_DIMENSIONS, distance: 'Cosine' } },
      sparse_vectors: { text: { modifier: 'idf' } },
    });
    await context.store.upsertPassages('older', documentOf('doc_1', ['holiday', 'laptop']));
    const request = keyword('holiday laptop');
    const [before] = (await context.store.search('older', request)).hits;
    await context.store.upgradeModel('older');
    await context.store.upgradeModel('unknown');
    expect((await qdrant.getCollection(name)).config.params.sparse_vectors).toHaveProperty('document');
    const words = {
      id: pointId('doc_1', 1, 0),
      terms: terms('holiday laptop').indices,
      words: terms('holiday laptop'),
    };
    expect(await context.store.updateWords('older', { team: 'team_a', passages: [], document: words })).toBe(true);
    const [after] = (await context.store.search('older', request)).hits;
    expect(after!.score).toBeCloseTo((before!.score + 0.5 * 2 * Math.log(1 + 0.5 / 1.5)) / 1.5, 3);
    await context.store.dropModel('older');
  });
});

describe('feedback', () => {
  let context: Context;
  beforeAll(async () => {
    context = await startTestStore();
  });
  afterAll(() => context.close());

  const hybrid = (query: string, degrees: number, more: Partial<HybridSearch> = {}) => ({
    ...PAGE,
    mode: 'hybrid' as const,
    sparse: terms(query),
    dense: [{ space: 's1', vector: direction(degrees) }],
    weights: { keyword: 1, semantic: 0.2 },
    ...more,
  });

  it('ranks again by the similarity to the best documents, as computed here', async () => {
    const angle = fc.integer({ min: 0, max: 90 });
    const text = fc.constantFrom('holiday', 'holiday holiday', 'holiday salary', 'salary');
    const document = fc.record({ angle, text });
    let team = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(document, { minLength: 3, maxLength: 8 }), angle, async (documents, at) => {
        team += 1;
        const own = `team_${team}`;
        const passages = documents.map(({ angle, text }, n) =>
          buildPassage({ team: own, document: `doc_${n}`, text, dense: direction(angle), space: 's1' }),
        );
        await context.store.upsertPassages('test', passages);
        const request = { ...hybrid('holiday salary', at), team: own };
        const { ranking } = await context.store.search('test', request);
        const feedback = { weight: 0.4, examples: 2, documents: 5 };
        const again = await context.store.search('test', { ...request, feedback });
        const angles = new Map(documents.map(({ angle }, n) => [documentKey(`doc_${n}`), angle]));
        const angleOf = (key: string) => angles.get(key)!;
        const examples = ranking.slice(0, 2).map(({ key }) => direction(angleOf(key)));
        const center = examples[0]!.map((value, i) => value + examples[1]![i]!);
        const length = Math.hypot(...center) || 1;
        const cosine = (id: string) => direction(angleOf(id)).reduce((sum, x, i) => sum + (x * center[i]!) / length, 0);
        const others = ranking.slice(2, 5).map(({ key }) => cosine(key));
        const range = Math.max(...others) - Math.min(...others) || 1;
        const expected = new Map(
          ranking.map(({ key, score }, rank) => {
            const similar = rank < 2 ? 1 : rank < 5 ? (cosine(key) - Math.min(...others)) / range : 0;
            return [key, 0.6 * score + 0.4 * ranking[0]!.score * similar];
          }),
        );
        expect(again.ranking).toHaveLength(ranking.length);
        if (range < 1e-3) return;
        for (const { key, score } of again.ranking) expect(score).toBeCloseTo(expected.get(key)!, 2);
      }),
      { numRuns: 20 },
    );
  });

  it('returns the same order on every page', async () => {
    const team = 'team_pages';
    const passages = Array.from({ length: 30 }, (_, at) =>
      buildPassage({ team, document: `doc_${at}`, text: 'holiday', dense: direction((at * 37) % 90), space: 's1' }),
    );
    await context.store.upsertPassages('test', passages);
    const request = { ...hybrid('holiday', 10), team, feedback: { weight: 0.3, examples: 2, documents: 10 } };
    const whole = await context.store.search('test', request);
    const pages = await Promise.all(
      [0, 7, 14, 21, 28].map((offset) => context.store.search('test', { ...request, offset, limit: 7 })),
    );
    expect(pages.flatMap(({ hits }) => hits)).toEqual(whole.hits);
  });

  it('is left out while passages are in two spaces', async () => {
    const team = 'team_pages';
    const dense = [
      { space: 's1', vector: direction(10) },
      { space: 's2', vector: direction(10) },
    ];
    const request = { ...hybrid('holiday', 10, { dense }), team };
    const feedback = { weight: 0.3, examples: 2, documents: 10 };
    expect(await context.store.search('test', { ...request, feedback })).toEqual(
      await context.store.search('test', request),
    );
  });
});
