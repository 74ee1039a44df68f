import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Filter } from '@lectern/contracts';
import { analyzePassage, createDenseEncoders, createSparseEncoder, documentWords } from '@lectern/embeddings';
import { type TestQdrant, testQdrant } from '@lectern/testing';
import { createVectorStore, type Passage, type VectorStore } from '@lectern/vector-store';
import { PHRASE_LIMITS } from '#match/reading-budget';
import { searchDocuments } from '#search/search-documents';
import { shareCalls } from '#sharing/share-calls';
import { parseQuery } from './parse-query.ts';

const MODEL = 'bounds';
const TEAM = 'team_1';
const encoder = createDenseEncoders().get();
const sparse = createSparseEncoder();
const shareCounts = shareCalls<number>();
let qdrant: TestQdrant;
let store: VectorStore;
let textsRead = 0;

/** The number of small documents with the same two words: one more than a phrase may have. */
const COMMON = PHRASE_LIMITS.documents + 1;

function passage(document: string, chunk: number, text: string, more: Partial<Passage> = {}): Passage {
  const now = '2026-01-01T00:00:00.000Z';
  return {
    team: TEAM,
    collection: 'col_1',
    document,
    source: 'api',
    type: 'text',
    createdAt: now,
    updatedAt: now,
    principals: ['public'],
    version: 1,
    chunk,
    metadata: {},
    title: '',
    heading: '',
    text,
    start: chunk * 10_000,
    end: chunk * 10_000 + text.length,
    dense: new Float32Array(encoder.dimensions ?? 512).fill(0.1),
    sparse: sparse.encodeDocument(analyzePassage({ text })),
    terms: documentWords(analyzePassage({ text })),
    ...more,
  };
}

beforeAll(async () => {
  qdrant = await testQdrant();
  store = createVectorStore({ url: qdrant.url, prefix: `bounds_${Date.now()}_` });
  await store.ensureModel({ model: MODEL, dimensions: encoder.dimensions ?? 512 });
  const small = Array.from({ length: COMMON }, (_, at) =>
    passage(`doc_${at}`, 0, at === 7 ? 'alpha beta gamma' : 'beta comes before alpha', {
      metadata: { [`field${at % 20}`]: at },
    }),
  );
  const parts = PHRASE_LIMITS.passages + 1;
  const words = documentWords(analyzePassage({ text: 'delta epsilon' }));
  const long = Array.from({ length: parts }, (_, at) =>
    passage('doc_long', at, 'delta epsilon', { terms: at === 0 ? words : undefined }),
  );
  // Its passage is longer than what is analyzed at once; the phrase is at the end.
  const filler = 'omega '.repeat(20_000);
  const huge = passage('doc_huge', 0, `${filler}kappa lambda`);
  await store.upsertPassages(MODEL, [...small, ...long, huge]);
});
afterAll(async () => {
  await store.dropModel(MODEL);
  await qdrant.stop();
});

const search = (query: string, filter?: Filter) => {
  const countingStore: VectorStore = {
    ...store,
    readTexts: (model, request) => {
      textsRead += request.documents.length;
      return store.readTexts(model, request);
    },
  };
  return searchDocuments(
    { store: countingStore, sparse, shareCounts, denseEncoder: () => encoder },
    {
      team: TEAM,
      collections: [{ id: 'col_1', name: 'C', embeddingModel: MODEL }],
      principals: undefined,
      query: parseQuery(query),
      facetFilters: new Map(),
      filter,
      mode: 'keyword',
      offset: 0,
      limit: 10,
      minScore: undefined,
      passagesPerDocument: 1,
    },
    new AbortController().signal,
  );
};
const invalidRequest = (path: string, message: RegExp) => ({
  code: 'invalid_request',
  details: { issues: [{ path, message: expect.stringMatching(message) }] },
});

describe('a search with phrases', () => {
  it('is rejected before any text is read if their words occur in too many documents', async () => {
    textsRead = 0;
    for (const query of ['"alpha beta"', 'omega -"alpha beta"'])
      await expect(search(query)).rejects.toMatchObject(
        invalidRequest('query', /"alpha beta" occur in more than 1000 documents.*narrow the search/),
      );
    expect(textsRead).toBe(0);
  });

  it('is rejected if their documents have too many passages', async () => {
    textsRead = 0;
    await expect(search('"delta epsilon"')).rejects.toMatchObject(invalidRequest('query', /more than 2000 passages/));
    expect(textsRead).toBe(0);
  });

  it('reads only documents that have every word', async () => {
    textsRead = 0;
    const { hits } = await search('"alpha beta gamma"');
    expect(hits.map(({ document }) => document)).toEqual(['doc_7']);
    expect(textsRead).toBe(1);
  });

  it('counts all phrases of a request together', async () => {
    const filter = { field: 'metadata.field3', op: 'exists', value: true } as const;
    const { total } = await search('"comes before alpha"', filter);
    expect(total).toBe(Math.ceil((COMMON - 3) / 20));
    const ten = Array.from({ length: 5 }, () => '"alpha beta" -"before gamma"').join(' ');
    await expect(search(ten)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('finds a phrase at the end of a long text', async () => {
    const { hits } = await search('"kappa lambda"');
    expect(hits.map(({ document }) => document)).toEqual(['doc_huge']);
    expect((await search('"lambda kappa"')).hits).toEqual([]);
  });
});

describe('filters by range', () => {
  it('are rejected for too many values in total', async () => {
    const range = { field: 'metadata.field1', op: 'gte', value: 0 } as const;
    await expect(search('alpha', { any: Array.from({ length: 1_000 }, () => range) })).rejects.toMatchObject(
      invalidRequest('filters', /more than 20000 values/),
    );
  });
});
