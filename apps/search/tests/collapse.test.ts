import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analyzePassage, createDenseEncoders, createSparseEncoder, documentWords } from '@lectern/embeddings';
import { type TestQdrant, testQdrant } from '@lectern/testing';
import { createTextSketcher, parseSketch, sketchSimilarity } from '@lectern/text';
import { createVectorStore, type VectorStore } from '@lectern/vector-store';
import fc from 'fast-check';
import { SEARCH_LIMITS } from '#limits';
import { searchDocuments } from '#search/search-documents';
import type { SearchQuery } from '#search/search-query';
import { shareCalls } from '#sharing/share-calls';
import { parseQuery } from './parse-query.ts';

const SEED = 20_261_123;
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 23);
const WORDS = ['zorbik', 'quantu', 'velmor', 'drasko', 'pilvat', 'wexum', 'jorgul', 'fandrik', 'mopsta', 'trelop'];
const PRINCIPALS = ['public', 'user:ada@example.com', 'group:1'];
/** Two models, so that near-duplicates are found across them. */
const COLLECTIONS = [
  { id: 'col_1', name: 'One', embeddingModel: 'model-a' },
  { id: 'col_2', name: 'Two', embeddingModel: 'model-b' },
];
const MODES = ['hybrid', 'keyword', 'semantic'] as const;

interface TestDocument {
  readonly id: string;
  readonly text: string;
  readonly sketch: string;
  readonly collection: (typeof COLLECTIONS)[number];
  readonly principals: readonly string[];
  readonly updatedAt: string;
}

const sketchOf = (text: string): string => {
  const sketcher = createTextSketcher();
  sketcher.add(text);
  return sketcher.sketch() ?? '';
};

/** Texts with many copies, in both collections; a copy differs in up to five words. */
const corpus: fc.Arbitrary<readonly TestDocument[]> = fc
  .array(
    fc.record({
      words: fc.array(fc.constantFrom(...WORDS), { minLength: 30, maxLength: 60 }),
      copies: fc.array(
        fc.record({
          edits: fc.array(fc.tuple(fc.nat(29), fc.constantFrom(...WORDS)), { maxLength: 5 }),
          collection: fc.constantFrom(...COLLECTIONS),
          principals: fc.uniqueArray(fc.constantFrom(...PRINCIPALS), { minLength: 1, maxLength: 2 }),
          age: fc.integer({ min: -10, max: 1_000 }),
        }),
        { minLength: 1, maxLength: 16 },
      ),
    }),
    { minLength: 18, maxLength: 18 },
  )
  .map((originals) =>
    originals
      .flatMap(({ words, copies }) =>
        copies.map(({ edits, age, ...copy }) => {
          const edited = [...words];
          for (const [at, word] of edits) edited[at] = word;
          const text = edited.join(' ');
          const updatedAt = new Date(NOW - age * DAY_MS).toISOString();
          return { ...copy, text, sketch: sketchOf(text), updatedAt };
        }),
      )
      .slice(0, SEARCH_LIMITS.candidates)
      .map((one, at) => ({ ...one, id: `doc_${String(at).padStart(3, '0')}` })),
  );

const testCase = fc.record({
  words: fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
  principals: fc.option(fc.subarray(PRINCIPALS, { minLength: 1 }), { nil: undefined }),
  collections: fc.subarray(COLLECTIONS, { minLength: 1 }),
  mode: fc.constantFrom(...MODES),
  minScore: fc.option(fc.constantFrom(0.1, 0.4), { nil: undefined }),
});
type Case = typeof testCase extends fc.Arbitrary<infer T> ? T : never;

const encoder = createDenseEncoders().get();
const sparse = createSparseEncoder();
const [documents = []] = fc.sample(corpus, { seed: SEED, numRuns: 1 });
const byId = new Map(documents.map((document) => [document.id, document]));
const cases = fc.sample(testCase, { seed: SEED, numRuns: 60 });
let qdrant: TestQdrant;
let store: VectorStore;

beforeAll(async () => {
  qdrant = await testQdrant();
  store = createVectorStore({ url: qdrant.url, prefix: `collapse_${Date.now()}_` });
  for (const { id, embeddingModel } of COLLECTIONS) {
    await store.ensureModel({ model: embeddingModel, dimensions: encoder.dimensions ?? 512 });
    const members = documents.filter(({ collection }) => collection.id === id);
    const vectors = await encoder.embedDocuments(members.map(({ text }) => text));
    await store.upsertPassages(
      embeddingModel,
      members.map(({ id: document, text, sketch, principals, updatedAt, collection }, at) => ({
        team: 'team_1',
        collection: collection.id,
        document,
        source: 'api',
        type: 'markdown',
        createdAt: updatedAt,
        updatedAt,
        principals: [...principals],
        version: 1,
        chunk: 0,
        metadata: {},
        title: document,
        heading: '',
        text,
        start: 0,
        end: text.length,
        dense: vectors[at] ?? new Float32Array(),
        sparse: sparse.encodeDocument(analyzePassage({ text })),
        terms: documentWords(analyzePassage({ text })),
        sketch,
      })),
    );
  }
});
afterAll(async () => {
  for (const { embeddingModel } of COLLECTIONS) await store.dropModel(embeddingModel);
  await qdrant.stop();
});

async function pageThrough({ words, ...query }: Case, limit: number, more: Partial<SearchQuery>) {
  const hits = [];
  for (let offset = 0; ; offset += limit) {
    const request = {
      ...query,
      team: 'team_1',
      query: parseQuery(words.join(' ')),
      filter: undefined,
      facetFilters: new Map(),
    };
    const found = await searchDocuments(
      { store, shareCounts: shareCalls(), sparse, denseEncoder: (model) => ({ ...encoder, model }) },
      { ...request, offset, limit, passagesPerDocument: 1, ...more },
      new AbortController().signal,
    );
    hits.push(...found.hits);
    if (!found.hasMore) return { hits, total: found.total };
  }
}

const isNear = (a: string, b: string): boolean => {
  const [first, second] = [a, b].map((id) => parseSketch(byId.get(id)?.sketch ?? ''));
  return first !== undefined && second !== undefined && sketchSimilarity(first, second) >= 0.8;
};

/** Groups a ranking by comparing every document with the first one of every group. */
function bruteForce(ids: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  for (const id of ids) {
    const group = groups.find(([first = '']) => isNear(first, id));
    if (group) group.push(id);
    else groups.push([id]);
  }
  return groups;
}

describe('over random queries, scopes and modes', () => {
  it('shows each group of near-duplicates once, as its best document', async () => {
    let collapsed = 0;
    for (const each of cases) {
      const plain = await pageThrough(each, 100, {});
      const groups = bruteForce(plain.hits.map(({ document }) => document));
      const { hits, total } = await pageThrough(each, 7, { collapse: 'duplicates' });
      const found = hits.map(({ document, duplicates }) => ({
        document,
        count: duplicates?.count ?? 0,
        listed: duplicates?.documents.map((duplicate) => duplicate.document) ?? [],
      }));
      const expected = groups.map(([document, ...others]) => ({
        document,
        count: others.length,
        listed: others.slice(0, SEARCH_LIMITS.duplicates),
      }));
      expect({ each, found, total }).toEqual({ each, found: expected, total: groups.length });
      collapsed += plain.total - total;
    }
    expect(collapsed).toBeGreaterThan(cases.length);
  });

  it('neither shows nor counts duplicates that the caller cannot read', async () => {
    for (const each of cases.filter(({ principals }) => principals !== undefined)) {
      const { hits } = await pageThrough(each, 20, { collapse: 'duplicates' });
      const readable = documents.filter(
        ({ principals, collection }) =>
          each.collections.includes(collection) && principals.some((principal) => each.principals?.includes(principal)),
      );
      const ids = new Set(readable.map(({ id }) => id));
      for (const { document, duplicates } of hits) {
        expect(duplicates?.documents.every((duplicate) => ids.has(duplicate.document)) ?? true).toBe(true);
        expect(duplicates?.count ?? 0).toBeLessThanOrEqual(readable.filter(({ id }) => isNear(document, id)).length);
      }
    }
  });

  it('orders by score and age if recent documents are preferred, the same on every page', async () => {
    for (const each of cases.filter((_, at) => at % 3 === 0)) {
      const recency = { halfLifeDays: 60, weight: 0.5, now: NOW };
      const plain = await pageThrough(each, 100, {});
      const expected = plain.hits
        .map(({ document, score }) => {
          const age = Math.max(0, NOW - Date.parse(byId.get(document)?.updatedAt ?? '')) / DAY_MS;
          return { document, score: score * (0.5 + 0.5 * 2 ** (-age / 60)) };
        })
        .sort((a, b) => b.score - a.score);
      const { hits } = await pageThrough(each, 9, { recency });
      expect(hits.map(({ document }) => document)).toEqual(expected.map(({ document }) => document));
      expect(hits.every(({ score }, at) => Math.abs(score - (expected[at]?.score ?? 0)) < 1e-9)).toBe(true);
    }
  });
});
