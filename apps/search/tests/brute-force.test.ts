import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDenseEncoders, createSparseEncoder } from '@lectern/embeddings';
import { runCount, type TestQdrant, testQdrant } from '@lectern/testing';
import { createVectorStore, type FacetField, type VectorStore } from '@lectern/vector-store';
import fc from 'fast-check';
import { countFacets } from '#facets/count-facets';
import { readFilters } from '#filters/read-filters';
import { parseQuery } from '#query/parse-query';
import { searchDocuments } from '#search/search-documents';
import type { SearchMode, SearchQuery } from '#search/search-query';
import { shareCalls } from '#sharing/share-calls';
import { countValues, fulfills, matches } from './brute-force/brute-force.ts';
import { testCase, textOf } from './brute-force/cases.ts';
import { COLLECTIONS, document, indexAll, TEAM, type TestDocument } from './brute-force/corpus.ts';

const SEED = 20_261_121;
const CASES = runCount({ quick: 200, full: 1_000 });
const DOCUMENTS = 400;
const CONCURRENCY = 16;
const MODES = ['hybrid', 'keyword', 'semantic'] as const;

type Case = typeof testCase extends fc.Arbitrary<infer T> ? T : never;

const encoder = createDenseEncoders().get();
const sparse = createSparseEncoder();
const shareCounts = shareCalls<number>();
const cases: readonly Case[] = fc.sample(testCase, { seed: SEED, numRuns: CASES });
const documents: readonly TestDocument[] = fc
  .sample(document, { seed: SEED, numRuns: DOCUMENTS })
  .map((one, at) => ({ ...one, id: `doc_${String(at).padStart(4, '0')}` }));
let qdrant: TestQdrant;
let store: VectorStore;

beforeAll(async () => {
  qdrant = await testQdrant();
  store = createVectorStore({ url: qdrant.url, prefix: `brute_${Date.now()}_` });
  await indexAll(store, documents);
});
afterAll(async () => {
  for (const model of new Set(COLLECTIONS.map(({ embeddingModel }) => embeddingModel))) await store.dropModel(model);
  await qdrant.stop();
});

const search = ({ query, filters, collections, principals }: Case, mode: SearchMode, more: Partial<SearchQuery> = {}) =>
  searchDocuments(
    { store, shareCounts, sparse, denseEncoder: (model) => ({ ...encoder, model }) },
    {
      team: TEAM,
      collections,
      principals,
      query: parseQuery(textOf(query)),
      filter: readFilters(filters),
      mode,
      page: 1,
      limit: 1,
      minScore: undefined,
      passagesPerDocument: 1,
      ...more,
    },
    new AbortController().signal,
  );

/** Returns the documents that match by the definition of a mode. */
const bruteForce = ({ query, filters, collections, principals }: Case, mode: SearchMode) =>
  documents.filter(
    (one) =>
      collections.includes(one.collection) &&
      (principals === undefined || principals.some((principal) => one.principals.includes(principal))) &&
      fulfills(one, filters) &&
      matches(one, query, mode),
  );

async function pageThrough(testCase: Case, mode: SearchMode, limit: number, more: Partial<SearchQuery> = {}) {
  const hits = [];
  for (let page = 1; ; page += 1) {
    const found = await search(testCase, mode, { ...more, page, limit });
    hits.push(...found.hits);
    if (!found.hasMore) return { hits, total: found.total, matches: found.matches };
  }
}

async function forAll(list: readonly Case[], check: (testCase: Case) => Promise<void>): Promise<void> {
  for (let at = 0; at < list.length; at += CONCURRENCY) await Promise.all(list.slice(at, at + CONCURRENCY).map(check));
}

const facetsOf = async (found: Pick<Awaited<ReturnType<typeof search>>, 'matches'>, fields: readonly string[]) =>
  (await countFacets(store, found.matches, fields as FacetField[], 1_000)).map(({ field, values }) => ({
    field,
    values: new Map(values.map(({ value, count }) => [value, count])),
  }));

describe.each(MODES)('over random queries, filters and scopes, a %s search', (mode) => {
  it('has the same total and facet counts as a brute-force search', async () => {
    let nonEmpty = 0;
    await forAll(cases, async (testCase) => {
      const expected = bruteForce(testCase, mode);
      const result = await search(testCase, mode);
      const facets = await facetsOf(result, testCase.facets);
      const counts = testCase.facets.map((field) => ({ field, values: countValues(expected, field) }));
      expect({ testCase, total: result.total, facets }).toEqual({ testCase, total: expected.length, facets: counts });
      nonEmpty += Number(expected.length > 0);
    });
    // Most cases find something.
    expect(nonEmpty).toBeGreaterThan(CASES / 3);
  });

  it('returns every counted document exactly once over its pages', async () => {
    await forAll(
      cases.filter((_, at) => at % 40 === 0),
      async (testCase) => {
        const expected = bruteForce(testCase, mode).map(({ id }) => id);
        const { hits, total } = await pageThrough(testCase, mode, 37);
        const ids = hits.map(({ document }) => document);
        expect(ids.toSorted()).toEqual(expected);
        expect(total).toBe(ids.length);
        const scores = hits.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      },
    );
  });

  it('counts the documents of its pages with minScore', async () => {
    const some = cases.filter(({ query }, at) => at % 60 === 0 && query.words.length > 0);
    await forAll(some, async (testCase) => {
      const minScore = 0.3;
      const { hits, total, matches } = await pageThrough(testCase, mode, 23, { minScore });
      const returned = new Set(hits.map(({ document }) => document));
      expect(returned.size).toBe(total);
      expect(hits.every(({ score }) => score >= minScore)).toBe(true);
      const counted = documents.filter(({ id }) => returned.has(id));
      const counts = testCase.facets.map((field) => ({ field, values: countValues(counted, field) }));
      expect(await facetsOf({ matches }, testCase.facets)).toEqual(counts);
    });
  });
});
