import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { SparseVector } from '../model/vectors.ts';
import { Bitmap } from '../storage/bitmap.ts';
import { SparseIndex } from '../storage/sparse-index.ts';
import { type IdfMode, inverseDocumentFrequency, searchSparse } from './sparse-search.ts';
import { TopK } from './top-k.ts';

function vectorOf(entries: ReadonlyMap<number, number>): SparseVector {
  const sorted = [...entries].sort(([a], [b]) => a - b);
  return {
    indices: Uint32Array.from(sorted, ([index]) => index),
    values: Float32Array.from(sorted, ([, value]) => value),
  };
}

/** The expected result: every vector's product in the order of the dimensions, sorted. */
function plainSearch(
  vectors: ReadonlyMap<number, SparseVector>,
  query: SparseVector,
  idf: IdfMode,
  candidates: Bitmap,
  limit: number,
) {
  const corpus = idf.kind === 'idf' ? idf.corpus : undefined;
  const counted = [...vectors].filter(([offset, { indices }]) => indices.length > 0 && (!corpus || corpus.has(offset)));
  const total = corpus ? [...vectors.keys()].filter((offset) => corpus.has(offset)).length : counted.length;
  const weights = Array.from(query.indices, (dimension, i) => {
    const frequency = counted.filter(([, { indices }]) => indices.includes(dimension)).length;
    const factor = idf.kind === 'idf' ? inverseDocumentFrequency(total, frequency) : 1;
    return Math.fround((query.values[i] ?? 0) * factor);
  });
  const hits: { offset: number; score: number }[] = [];
  for (const [offset, { indices, values }] of vectors) {
    const shared = Array.from(query.indices, (dimension) => indices.indexOf(dimension));
    if (!candidates.has(offset) || shared.every((place) => place < 0)) continue;
    let score = 0;
    shared.forEach((place, i) => {
      if (place >= 0) score = Math.fround(score + (weights[i] ?? 0) * (values[place] ?? 0));
    });
    hits.push({ offset, score });
  }
  return hits.sort((a, b) => b.score - a.score || a.offset - b.offset).slice(0, limit);
}

/** Creates a seeded generator of numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function search(index: SparseIndex, query: SparseVector, idf: IdfMode, candidates: Bitmap, limit: number) {
  const top = new TopK(limit);
  searchSparse(index, query, idf, candidates, top);
  return top.toSorted();
}

// A negative zero is returned as zero.
const weight = fc
  .oneof(fc.constantFrom(0, 1, 1, 2, 0.5, -1, 1e-30), fc.float({ min: -4, max: 4, noNaN: true }))
  .map((value) => value + 0);
const dimension = fc.oneof(fc.nat({ max: 40 }), fc.constantFrom(0xffffffff, 0x80000000, 123_456_789));
const sparse = fc.array(fc.tuple(dimension, weight), { maxLength: 12 }).map((entries) => vectorOf(new Map(entries)));
const change = fc.tuple(fc.nat({ max: 400 }), fc.option(sparse, { freq: 5, nil: undefined }));

describe('the sparse search', () => {
  it('returns exactly the results of a plain search after any changes', () => {
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 50, maxLength: 1500 }),
        fc.array(sparse, { minLength: 3, maxLength: 3 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (changes, queries, limit, every, isLoading) => {
          const index = new SparseIndex();
          const vectors = new Map<number, SparseVector>();
          const some = Bitmap.of(Array.from({ length: 401 }, (_, i) => i).filter((i) => i % every === 0));
          const few = Bitmap.of([3, 7, 11]);
          index.setLoading(isLoading);
          // The second part changes an index that was searched.
          for (const part of [changes.slice(0, -20), changes.slice(-20)]) {
            for (const [offset, vector] of part) {
              if (vector) {
                index.set(offset, vector);
                vectors.set(offset, vector);
              } else {
                index.delete(offset);
                vectors.delete(offset);
              }
            }
            index.setLoading(false);
            for (let offset = 0; offset <= 401; offset++) expect(index.get(offset)).toEqual(vectors.get(offset));
            // Searches cause segments to be built. Later searches must return the same results as the
            // first.
            for (const query of [...queries, ...queries])
              for (const candidates of [some, few])
                for (const idf of [
                  { kind: 'none' },
                  { kind: 'idf', corpus: undefined },
                  { kind: 'idf', corpus: some },
                ] as const)
                  expect(search(index, query, idf, candidates, limit)).toEqual(
                    plainSearch(vectors, query, idf, candidates, limit),
                  );
          }
        },
      ),
      { numRuns: 25, endOnFailure: true },
    );
  });

  it('returns the same for queries of few and many of the stored positive values, with ties', () => {
    const positive = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.constantFrom(0.5, 1, 2)), { maxLength: 4 });
    const vector = positive.map((entries) => vectorOf(new Map(entries)));
    const query = fc
      .array(fc.tuple(fc.nat({ max: 60 }), fc.constantFrom(1, 3)), { minLength: 1, maxLength: 30 })
      .map((entries) => vectorOf(new Map(entries)));
    const lists = fc.array(vector, { minLength: 150, maxLength: 400 });
    fc.assert(
      fc.property(
        lists,
        fc.array(query, { minLength: 4, maxLength: 4 }),
        fc.integer({ min: 1, max: 60 }),
        (stored, queries, limit) => {
          const index = new SparseIndex();
          const vectors = new Map(stored.entries());
          for (const [offset, added] of vectors) index.set(offset, added);
          const candidates = Bitmap.of([...vectors.keys()].filter((offset) => offset % 3 !== 0));
          for (const searched of queries)
            for (const idf of [{ kind: 'none' }, { kind: 'idf', corpus: candidates }] as const)
              expect(search(index, searched, idf, candidates, limit)).toEqual(
                plainSearch(vectors, searched, idf, candidates, limit),
              );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('stores values directly if there are too many distinct ones for a table', () => {
    const index = new SparseIndex();
    index.setLoading(true);
    const vectors = new Map<number, SparseVector>();
    for (let offset = 0; offset < 4200; offset++) {
      const entries = Array.from(
        { length: 20 },
        (_, i) => [i * 3 + (offset % 3), 1 + (offset * 20 + i) / 1e5] as const,
      );
      const vector = vectorOf(new Map(entries));
      index.set(offset, vector);
      vectors.set(offset, vector);
    }
    index.setLoading(false);
    for (const offset of [0, 1, 4095, 4096, 4199]) expect(index.get(offset)).toEqual(vectors.get(offset));
    const query = vectorOf(
      new Map([
        [3, 1],
        [6, 2],
        [57, 0.5],
      ]),
    );
    const everything = index.present.clone();
    const idf = { kind: 'idf', corpus: undefined } as const;
    expect(search(index, query, idf, everything, 25)).toEqual(plainSearch(vectors, query, idf, everything, 25));
  });

  // Segments of this size are added up by the kernel.
  const manyVectors: Readonly<Record<string, (random: () => number) => number>> = {
    'few distinct values, so that scores are equal': (random) => Math.ceil(random() * 4) / 2,
    '256 distinct values, which fit into one byte': (random) => (1 + Math.floor(random() * 256)) / 64,
    'more distinct values than fit into one byte': (random) => (1 + Math.floor(random() * 2000)) / 64,
    'more distinct values than a table holds': (random) => Math.fround(random() + 0.01),
    'very small and very large values': (random) => Math.fround(10 ** (random() * 70 - 38)),
    'some values that are not positive': (random) => (random() < 0.001 ? -random() : random()),
  };
  for (const [name, makeValue] of Object.entries(manyVectors))
    it(`returns exactly the results of a plain search in large segments: ${name}`, () => {
      fc.assert(
        fc.property(
          fc.integer(),
          fc.constantFrom(2, 12, 300),
          fc.integer({ min: 1, max: 400 }),
          (seed, terms, limit) => {
            const random = createRandom(seed);
            const dimensionOf = (): number => Math.imul(Math.floor(random() ** 2 * 600), 0x9e3779b1) >>> 0;
            const make = (count: number, value: () => number): SparseVector =>
              vectorOf(new Map(Array.from({ length: count }, () => [dimensionOf(), value()])));
            const index = new SparseIndex();
            const vectors = new Map<number, SparseVector>();
            const set = (offset: number): void => {
              const vector = make(1 + Math.floor(random() * 30), () => makeValue(random));
              index.set(offset, vector);
              vectors.set(offset, vector);
            };
            index.setLoading(true);
            for (let offset = 0; offset < 4500; offset++) set(offset);
            index.setLoading(false);
            for (let i = 0; i < 300; i++) {
              const offset = Math.floor(random() * 4500);
              if (random() < 0.5) set(offset);
              else {
                index.delete(offset);
                vectors.delete(offset);
              }
            }
            const everything = index.present.clone();
            const some = Bitmap.of([...vectors.keys()].filter((offset) => offset % 7 < 3));
            const query = make(terms, () => Math.fround(random() * 3 + 0.01));
            for (const candidates of [everything, some])
              for (const idf of [{ kind: 'none' }, { kind: 'idf', corpus: some }] as const)
                expect(search(index, query, idf, candidates, limit)).toEqual(
                  plainSearch(vectors, query, idf, candidates, limit),
                );
          },
        ),
        { numRuns: 3 },
      );
    });

  it('releases the memory of deleted vectors', () => {
    const index = new SparseIndex();
    for (let round = 0; round < 20; round++)
      for (let offset = 0; offset < 300; offset++) index.set(offset, vectorOf(new Map([[offset % 7, round + 1]])));
    const slots = index.segments.reduce((sum, { slotCount }) => sum + slotCount, 0);
    expect(index.size).toBe(300);
    expect(slots).toBeLessThan(1000);
    for (let offset = 0; offset < 300; offset++) index.delete(offset);
    expect(index.segments).toHaveLength(0);
  });
});
