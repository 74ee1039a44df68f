import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDenseEncoders, createSparseEncoder, type Similarity } from '@lectern/embeddings';
import { runCount, type TestQdrant, testQdrant } from '@lectern/testing';
import { createVectorStore, type FacetField, type FacetValue, type VectorStore } from '@lectern/vector-store';
import fc from 'fast-check';
import { countFacets } from '#facets/count-facets';
import { readFacetFilters } from '#filters/read-facet-filters';
import { readFilters } from '#filters/read-filters';
import { type Curation, NO_CURATION } from '#rules/curation';
import { searchCurated } from '#rules/search-curated';
import type { SearchMode, SearchQuery } from '#search/search-query';
import { shareCalls } from '#sharing/share-calls';
import { countValues, fulfills, matchesByWord, satisfiesOperators, termsOf } from './brute-force/brute-force.ts';
import { testCase, textOf } from './brute-force/cases.ts';
import { COLLECTIONS, document, indexAll, TEAM, type TestDocument } from './brute-force/corpus.ts';
import { literalQuery, parseQuery } from './parse-query.ts';

const SEED = 20_261_121;
const CASES = runCount({ quick: 200, full: 1_000 });
const DOCUMENTS = 400;
const CONCURRENCY = 16;
const MODES = ['hybrid', 'keyword', 'semantic'] as const;
/** Lower than the builtin one, so that meaning finds documents without a word of the query. */
const SIMILARITY: Similarity = { factor: 1, leastRelevance: 0.12, leastShare: 0.3 };
const NEAREST_PASSAGES = 200;

type Case = typeof testCase extends fc.Arbitrary<infer T> ? T : never;

const encoder = createDenseEncoders().get();
const sparse = createSparseEncoder();
const shareCounts = shareCalls<number>();
const cases: readonly Case[] = fc.sample(testCase, { seed: SEED, numRuns: CASES });
/** Every nth case, for checks of many pages. */
const someCases = (nth: number) => cases.filter(({ query }, at) => at % nth === 0 && termsOf(query).length > 0);
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

const search = (
  { query, filters, facetFilters, collections, principals }: Case,
  mode: SearchMode,
  more: Partial<SearchQuery> = {},
  similarity = SIMILARITY,
  curation: Curation = NO_CURATION,
) =>
  searchCurated(
    { store, shareCounts, sparse, denseEncoder: (model) => ({ ...encoder, model, similarity }) },
    {
      team: TEAM,
      collections,
      principals,
      query: parseQuery(textOf(query)),
      filter: readFilters(filters),
      facetFilters: readFacetFilters(facetFilters),
      mode,
      offset: 0,
      limit: 1,
      minScore: undefined,
      passagesPerDocument: 1,
      ...more,
    },
    curation,
    [],
    new AbortController().signal,
  );

const isInScope = ({ collections, principals }: Case, { collection, principals: readers }: TestDocument) =>
  collections.includes(collection) &&
  (principals === undefined || principals.some((principal) => readers.includes(principal)));

/** Returns the documents that match by meaning: the same, whatever the filters and operators are. */
async function similarTo({ query, collections, principals }: Case): Promise<ReadonlySet<string>> {
  const terms = termsOf(query);
  if (terms.length === 0) return new Set();
  const plain = {
    query: { words: terms, phrase: [], excluded: [], excludedPhrase: [] },
    filters: {},
    facetFilters: {},
  };
  const { hits } = await pageThrough({ ...plain, collections, principals, facets: [] }, 'semantic', 100);
  return new Set(hits.map(({ document }) => document));
}

/** Returns the documents that match by the definition of a mode. `except` is a facet to ignore. */
async function bruteForce(
  testCase: Case,
  mode: SearchMode,
  except?: string,
  { pins, hidden }: Curation = NO_CURATION,
): Promise<readonly TestDocument[]> {
  const { query, filters, facetFilters } = testCase;
  const pinned = new Set(pins.map(({ document }) => document));
  const similar = mode === 'keyword' ? new Set() : await similarTo(testCase);
  const chosen = Object.entries(facetFilters).filter(([field, values]) => field !== except && values.length > 0);
  return documents.filter(
    (one) =>
      isInScope(testCase, one) &&
      fulfills(one, filters) &&
      fulfills(one, Object.fromEntries(chosen)) &&
      satisfiesOperators(one, query) &&
      !hidden.includes(one.id) &&
      (pinned.has(one.id) ||
        termsOf(query).length === 0 ||
        similar.has(one.id) ||
        (mode !== 'semantic' && matchesByWord(one, query))),
  );
}

async function pageThrough(
  testCase: Case,
  mode: SearchMode,
  limit: number,
  more: Partial<SearchQuery> = {},
  curation?: Curation,
) {
  const hits = [];
  for (let offset = 0; ; offset += limit) {
    const found = await search(testCase, mode, { ...more, offset, limit }, SIMILARITY, curation);
    hits.push(...found.hits);
    if (!found.hasMore) return { hits, total: found.total, matches: found.matches };
  }
}

const idsOf = ({ hits }: { readonly hits: readonly { readonly document: string }[] }) =>
  hits.map(({ document }) => document).toSorted();

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
      const expected = await bruteForce(testCase, mode);
      const result = await search(testCase, mode);
      const facets = await facetsOf(result, testCase.facets);
      const counts = await Promise.all(
        testCase.facets.map(async (field) => ({
          field,
          values: countValues(await bruteForce(testCase, mode, field), field),
        })),
      );
      expect({ testCase, total: result.total, facets }).toEqual({ testCase, total: expected.length, facets: counts });
      nonEmpty += Number(expected.length > 0);
    });
    // Many cases find something.
    expect(nonEmpty).toBeGreaterThan(CASES / 4);
  });

  it('returns every counted document exactly once over its pages, and no other', async () => {
    await forAll(
      cases.filter((_, at) => at % 20 === 0),
      async (testCase) => {
        const found = await pageThrough(testCase, mode, 37);
        expect(idsOf(found)).toEqual((await bruteForce(testCase, mode)).map(({ id }) => id));
        expect(found.total).toBe(found.hits.length);
        const scores = found.hits.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        expect(found.hits.every(({ relevance }) => relevance >= 0 && relevance <= 1)).toBe(true);
      },
    );
  });

  it('orders exactly the documents of a brute-force search by date, over all pages', async () => {
    const days = new Map(documents.map(({ id, day }) => [id, day]));
    let ordered = 0;
    await forAll(
      cases.filter((_, at) => at % 10 === 0),
      async (testCase) => {
        const expected = await bruteForce(testCase, mode);
        const plain = await pageThrough(testCase, mode, 100);
        const relevances = new Map(plain.hits.map(({ document, relevance }) => [document, relevance]));
        for (const sort of ['newest', 'oldest'] as const) {
          const pins = expected.slice(0, 1).map(({ id }) => ({ document: id, slot: 0 }));
          const found = await pageThrough(testCase, mode, 17, { sort }, { pins, hidden: [] });
          expect(idsOf(found)).toEqual(expected.map(({ id }) => id));
          expect(found.total).toBe(expected.length);
          expect(await facetsOf(found, testCase.facets)).toEqual(await facetsOf(plain, testCase.facets));
          const shown = found.hits.map(({ document }) => days.get(document) ?? '');
          expect(shown).toEqual(sort === 'newest' ? shown.toSorted().toReversed() : shown.toSorted());
          for (const { document, relevance } of found.hits) {
            // A document that a search by relevance lists by date has no relevance there.
            expect(relevance).toBeGreaterThanOrEqual((relevances.get(document) ?? 1) - 1e-5);
          }
          const whole = await pageThrough(testCase, mode, 100, { sort });
          expect(whole.hits.map(({ document }) => document)).toEqual(found.hits.map(({ document }) => document));
          ordered += new Set(shown).size > 1 ? 1 : 0;
        }
      },
    );
    expect(ordered).toBeGreaterThan(0);
  });

  it('orders with minScore exactly the documents of at least that relevance by date', async () => {
    let ordered = 0;
    await forAll(someCases(20), async (testCase) => {
      for (const minScore of [0.3, 0.6]) {
        const ranked = await pageThrough(testCase, mode, 100, { minScore });
        const dated = await pageThrough(testCase, mode, 17, { minScore, sort: 'newest' });
        expect(idsOf(dated)).toEqual(idsOf(ranked));
        expect(dated.total).toBe(ranked.total);
        expect(await facetsOf(dated, testCase.facets)).toEqual(await facetsOf(ranked, testCase.facets));
        expect(dated.hits.every(({ relevance }) => relevance >= minScore)).toBe(true);
        ordered += dated.hits.length;
      }
    });
    expect(ordered).toBeGreaterThan(0);
  });

  it('counts for each facet value the documents of a search for it', async () => {
    await forAll(someCases(20), async (testCase) => {
      const [field = 'source'] = testCase.facets;
      const [facet] = await countFacets(store, (await search(testCase, mode)).matches, [field as FacetField], 5);
      for (const { value, count } of facet!.values as readonly FacetValue[]) {
        const chosen = { ...testCase, facetFilters: { ...testCase.facetFilters, [field]: [value] } };
        expect({ testCase, value, total: (await search(chosen, mode)).total }).toEqual({
          testCase,
          value,
          total: count,
        });
        const facetFilters = Object.fromEntries(
          Object.entries(testCase.facetFilters).filter(([name]) => name !== field),
        );
        const filtered = { ...testCase, filters: { $and: [testCase.filters, { [field]: value }] }, facetFilters };
        expect((await search(filtered, mode)).total).toBe(count);
      }
    });
  });

  it('finds no more documents with an exclusion than without it', async () => {
    await forAll(someCases(20), async (testCase) => {
      const { query } = testCase;
      const wide = { ...testCase, query: { ...query, excluded: [], excludedPhrase: [] } };
      const all = new Set(idsOf(await pageThrough(wide, mode, 100)));
      for (const id of idsOf(await pageThrough(testCase, mode, 100))) expect(all).toContain(id);
    });
  });

  it('finds nothing for nonsense', async () => {
    await forAll(someCases(40), async (testCase) => {
      const query = literalQuery('xqzzyk 9q7w8 brrfmp');
      const found = await search(testCase, mode, { query }, encoder.similarity);
      expect(found).toMatchObject({ hits: [], total: 0, hasMore: false });
      const facets = await facetsOf(found, ['source', 'metadata.tags']);
      expect(facets.every(({ values }) => values.size === 0)).toBe(true);
    });
  });

  it('finds with minScore exactly the documents of at least that relevance', async () => {
    await forAll(someCases(15), async (testCase) => {
      const plain = await pageThrough(testCase, mode, 100);
      let previous: readonly string[] = idsOf(plain);
      for (const minScore of [0.1, 0.3, 0.5, 0.8]) {
        const { hits, total, matches } = await pageThrough(testCase, mode, 23, { minScore });
        const ids = idsOf({ hits });
        expect(new Set(ids).size).toBe(total);
        expect(hits.every(({ relevance }) => relevance >= minScore)).toBe(true);
        // A higher minimum finds fewer documents.
        for (const id of ids) expect(previous).toContain(id);
        for (const { document, relevance } of plain.hits) if (relevance >= minScore) expect(ids).toContain(document);
        const fields = testCase.facets.filter((field) => !Object.hasOwn(testCase.facetFilters, field));
        const counted = documents.filter(({ id }) => ids.includes(id));
        const counts = fields.map((field) => ({ field, values: countValues(counted, field) }));
        expect(await facetsOf({ matches }, fields)).toEqual(counts);
        previous = ids;
      }
    });
  });

  it('has at least the same relevance with filters as without them', async () => {
    await forAll(someCases(20), async (testCase) => {
      const { query } = testCase;
      const wide = {
        ...testCase,
        filters: {},
        facetFilters: {},
        query: { ...query, excluded: [], excludedPhrase: [] },
      };
      const { hits } = await pageThrough(wide, mode, 100);
      const relevances = new Map(hits.map(({ document, relevance }) => [document, relevance]));
      for (const { document, relevance } of (await pageThrough(testCase, mode, 100)).hits) {
        // Without filters, a document can have a keyword score that is too low to be looked up.
        expect(relevance).toBeGreaterThanOrEqual((relevances.get(document) ?? 1) - 1e-5);
      }
    });
  });
});

/** Rules that pin or hide some of these documents, any of all documents, and unknown ones. */
function curationFor(at: number, found: readonly string[]): Curation {
  const [generated] = fc.sample(
    fc.record({
      pinned: fc.uniqueArray(
        fc.record({
          document: fc.constantFrom('doc_unknown', ...documents.map(({ id }) => id), ...found, ...found),
          slot: fc.integer({ min: 0, max: 60 }),
        }),
        { maxLength: 8, selector: ({ document: id }) => id },
      ),
      hidden: fc.uniqueArray(fc.constantFrom('doc_unknown', ...documents.map(({ id }) => id), ...found), {
        maxLength: 6,
      }),
    }),
    { seed: SEED + at, numRuns: 1 },
  );
  const { pinned, hidden } = generated!;
  const used = new Set<number>();
  const pins = pinned
    .filter(({ document: id, slot }) => !hidden.includes(id) && !used.has(slot) && used.add(slot))
    .toSorted((a, b) => a.slot - b.slot);
  return { pins, hidden };
}

describe.each(MODES)('with rules, a %s search', (mode) => {
  it('finds, counts and pages through exactly the documents of a brute-force search', async () => {
    let placed = 0;
    await forAll(someCases(10), async (testCase) => {
      const plain = await pageThrough(testCase, mode, 100);
      const curation = curationFor(
        cases.indexOf(testCase),
        plain.hits.map(({ document: id }) => id),
      );
      const expected = await bruteForce(testCase, mode, undefined, curation);
      const found = await pageThrough(testCase, mode, 11, {}, curation);
      const ids = expected.map(({ id }) => id);
      expect({ testCase, curation, ids: idsOf(found), total: found.total }).toEqual({
        testCase,
        curation,
        ids: ids.toSorted(),
        total: ids.length,
      });
      const counts = await Promise.all(
        testCase.facets.map(async (field) => ({
          field,
          values: countValues(await bruteForce(testCase, mode, field, curation), field),
        })),
      );
      expect(await facetsOf(found, testCase.facets)).toEqual(counts);

      // The others have the order of a search without the pins and the hidden ones, and each pin is at its position or after the last result.
      const shown = found.hits.map(({ document: id }) => id);
      const pins = curation.pins.filter(({ document: id }) => shown.includes(id));
      const others = shown.filter((id) => !pins.some(({ document: pinned }) => pinned === id));
      for (const [at, { document: id, slot }] of pins.entries()) {
        expect(shown.indexOf(id)).toBe(Math.min(slot, others.length + at));
      }
      // A document can change the order of the rest: its words and its neighbors count.
      const except = [...curation.hidden, ...curation.pins.map(({ document: id }) => id)];
      const rest = await pageThrough(testCase, mode, 100, { except });
      expect(others).toEqual(rest.hits.map(({ document: id }) => id));
      placed += pins.length;
    });
    expect(placed).toBeGreaterThan(0);
  });
});

describe('a semantic match', () => {
  it('is similar enough, and one of the nearest passages of its model', async () => {
    const passages = documents.flatMap((one) => one.passages.map((words) => ({ one, text: words.join(' ') })));
    const vectors = await encoder.embedDocuments(passages.map(({ text }) => text));
    let found = 0;
    await forAll(someCases(10), async (testCase) => {
      const query = await encoder.embedQuery(termsOf(testCase.query).join(' '));
      const cosines = passages.map(({ one }, at) => ({
        one,
        cosine: query.reduce((sum, value, i) => sum + value * (vectors[at]?.[i] ?? 0), 0),
      }));
      const similar = await similarTo(testCase);
      found += similar.size;
      const readable = cosines.filter(({ one }) => isInScope(testCase, one));
      for (const ofModel of Map.groupBy(readable, ({ one }) => one.collection.embeddingModel).values()) {
        const ordered = ofModel.toSorted((a, b) => b.cosine - a.cosine);
        const nearest = ordered[0]?.cosine ?? 0;
        const least = Math.max(SIMILARITY.leastRelevance, SIMILARITY.leastShare * nearest);
        const last = ordered.length < NEAREST_PASSAGES ? 0 : (ordered[NEAREST_PASSAGES - 1]?.cosine ?? 0);
        // Passages as near as the last one can be on either side of the limit.
        const margin = 1e-5;
        for (const [document, parts] of Map.groupBy(ordered, ({ one }) => one.id)) {
          const best = parts[0]?.cosine ?? 0;
          if (best > Math.max(least, last) + margin) expect(similar).toContain(document);
          if (best < Math.max(least, last) - margin) expect(similar).not.toContain(document);
        }
      }
    });
    expect(found).toBeGreaterThan(0);
  });
});
