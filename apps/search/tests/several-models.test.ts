import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analyzePassage, createDenseEncoders, createSparseEncoder, documentWords } from '@lectern/embeddings';
import { type TestQdrant, testQdrant } from '@lectern/testing';
import { createVectorStore, type VectorStore } from '@lectern/vector-store';
import { searchDocuments } from '#search/search-documents';
import type { SearchQuery } from '#search/search-query';
import { shareCalls } from '#sharing/share-calls';
import { literalQuery } from './parse-query.ts';

const MODELS = ['model-a', 'model-b', 'model-c'];
const DOCUMENTS_PER_MODEL = 12;

const encoder = createDenseEncoders().get();
const sparse = createSparseEncoder();
let qdrant: TestQdrant;
let store: VectorStore;

const search = (overrides: Partial<SearchQuery>) => {
  const query: SearchQuery = {
    team: 'team_1',
    collections: MODELS.map((model) => ({ id: `col_${model}`, name: model, embeddingModel: model })),
    principals: undefined,
    query: literalQuery('vacation'),
    filter: undefined,
    facetFilters: new Map(),
    mode: 'hybrid',
    offset: 0,
    limit: 100,
    minScore: undefined,
    passagesPerDocument: 1,
    ...overrides,
  };
  const denseEncoder = (model: string) => ({ ...encoder, model });
  return searchDocuments(
    { store, shareCounts: shareCalls(), sparse, denseEncoder },
    query,
    new AbortController().signal,
  );
};

/** Stores documents of one passage each, which mention vacation more or less often. */
async function fill(model: string): Promise<void> {
  await store.ensureModel({ model, dimensions: encoder.dimensions ?? 512 });
  const texts = Array.from(
    { length: DOCUMENTS_PER_MODEL },
    (_, at) => `Note ${at} ${'vacation '.repeat(at % 5)} of ${model}`,
  );
  const dense = await encoder.embedDocuments(texts);
  const now = new Date().toISOString();
  await store.upsertPassages(
    model,
    texts.map((text, at) => ({
      team: 'team_1',
      collection: `col_${model}`,
      document: `doc_${model}_${at}`,
      source: 'api',
      type: 'text',
      createdAt: now,
      updatedAt: now,
      principals: ['public'],
      version: 1,
      chunk: 0,
      metadata: {},
      title: `Note ${at}`,
      heading: '',
      text,
      start: 0,
      end: text.length,
      dense: dense[at]!,
      sparse: sparse.encodeDocument(analyzePassage({ text })),
      terms: documentWords(analyzePassage({ title: `Note ${at}`, text })),
    })),
  );
}

beforeAll(async () => {
  qdrant = await testQdrant();
  store = createVectorStore({ url: qdrant.url, prefix: `several_${Date.now()}_` });
  for (const model of MODELS) await fill(model);
});

afterAll(async () => {
  for (const model of MODELS) await store.dropModel(model);
  await qdrant.stop();
});

describe.each(['hybrid', 'keyword', 'semantic'] as const)('a %s search over collections of several models', (mode) => {
  it('merges them by score, with every document once over its pages', async () => {
    const whole = await search({ mode });
    const ids = whole.hits.map(({ document }) => document);
    expect(new Set(ids).size).toBe(whole.total);
    for (const model of MODELS) expect(ids.slice(0, 9).some((id) => id.includes(model))).toBe(true);
    const scores = whole.hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));

    const pages = [];
    for (let offset = 0; offset === 0 || pages.at(-1)?.hasMore; offset += 5)
      pages.push(await search({ mode, offset, limit: 5 }));
    expect(pages.flatMap(({ hits }) => hits.map(({ document }) => document))).toEqual(ids);
    expect(pages.every(({ total }) => total === whole.total)).toBe(true);
  });

  it('counts and returns only documents with minScore or more', async () => {
    const { hits } = await search({ mode });
    const minScore = hits[7]!.relevance;
    const expected = hits.filter(({ relevance }) => relevance >= minScore).map(({ document }) => document);
    const first = await search({ mode, minScore, limit: 3 });
    expect(first.total).toBe(expected.length);
    expect(first.hasMore).toBe(true);
    const all = await search({ mode, minScore });
    expect(all.hits.map(({ document }) => document)).toEqual(expected);
    const beyond = await search({ mode, minScore, offset: 4_900 });
    expect(beyond.hits).toEqual([]);
    expect(beyond.total).toBe(expected.length);
    expect(beyond.hasMore).toBe(false);
  });
});

describe('a page beyond the last', () => {
  it('is empty and reports the total', async () => {
    const { hits, total, hasMore } = await search({ offset: 99_900, limit: 100 });
    expect({ hits, hasMore }).toEqual({ hits: [], hasMore: false });
    const withoutVacation = Math.ceil(DOCUMENTS_PER_MODEL / 5);
    expect(total).toBe(MODELS.length * (DOCUMENTS_PER_MODEL - withoutVacation));
  });
});
