import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Distance, preprocessDense } from '../model/vectors.ts';
import { Bitmap } from '../storage/bitmap.ts';
import { DenseBlock } from '../storage/dense-block.ts';
import { scanDense } from './dense-scan.ts';
import { scoreRows } from './score-rows.ts';
import { shortlistRows } from './shortlist-rows.ts';
import { TopK } from './top-k.ts';

const distances: readonly Distance[] = ['Cosine', 'Dot', 'Euclid', 'Manhattan'];

/** Creates a seeded generator of numbers from −1 to 1. */
function createNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

type MakeRow = (size: number, number: () => number, i: number) => Float32Array;

const shapes: Readonly<Record<string, MakeRow>> = {
  spread: (size, number) => Float32Array.from({ length: size }, number),
  'few distinct, so that scores are equal': (size, number) =>
    Float32Array.from({ length: size }, () => Math.round(number())),
  'near each other': (size, number) => Float32Array.from({ length: size }, (_, i) => 1 + i + number() * 1e-6),
  'of very different lengths': (size, number, i) =>
    Float32Array.from({ length: size }, () => number() * 10 ** ((i % 60) - 30)),
  'some zero, some beyond all bounds': (size, number, i) =>
    new Float32Array(size).fill(i % 7 === 0 ? 0 : i % 11 === 0 ? 3e38 * number() : number()),
};

function fillBlock(distance: Distance, size: number, count: number, make: MakeRow, number: () => number): DenseBlock {
  const block = new DenseBlock(size, distance);
  for (let i = 0; i < count; i++) block.set(i, preprocessDense(distance, make(size, number, i)));
  return block;
}

/** Returns all scores, sorted. */
function plainScan(block: DenseBlock, query: Float32Array, candidates: Bitmap, limit: number) {
  const rows = candidates.clone().and(block.present).toArray();
  const scores = scoreRows(block, query, rows);
  const hits = Array.from(rows, (offset, i) => ({ offset, score: scores[i] ?? 0 })).filter(
    ({ score }) => score > Number.NEGATIVE_INFINITY,
  );
  return hits.sort((a, b) => b.score - a.score || a.offset - b.offset).slice(0, limit);
}

function fastScan(block: DenseBlock, query: Float32Array, candidates: Bitmap, limit: number) {
  const top = new TopK(limit);
  scanDense(block, query, candidates, top);
  return top.toSorted();
}

describe('the dense scan', () => {
  for (const distance of distances)
    for (const [shape, make] of Object.entries(shapes))
      it(`returns exactly the hits of a plain scan: ${distance}, vectors ${shape}`, () => {
        const counts = fc.integer({ min: 1030, max: 3000 });
        // With few candidates, the rows are compared one by one.
        const shares = fc.constantFrom(0.2, 0.6);
        const sizes = fc.constantFrom(1, 2, 3, 31, 32, 33, 100, 257);
        fc.assert(
          fc.property(
            counts,
            sizes,
            shares,
            fc.integer(),
            fc.integer({ min: 1, max: 120 }),
            (count, size, share, seed, limit) => {
              const number = createNumbers(seed);
              const block = fillBlock(distance, size, count, make, number);
              const candidates = new Bitmap();
              for (let i = 0; i < count; i++) {
                if (number() < share * 2 - 1) candidates.add(i);
                if (number() < -0.9) block.delete(i);
                if (number() < -0.9) block.set(i, preprocessDense(distance, make(size, number, i)));
              }
              const query = preprocessDense(distance, make(size, number, 1));
              expect(fastScan(block, query, candidates, limit)).toEqual(plainScan(block, query, candidates, limit));
            },
          ),
          { numRuns: 6 },
        );
      });

  it('returns hits in storage order for a zero vector, because all scores are equal', () => {
    const block = fillBlock('Dot', 40, 2000, shapes.spread!, createNumbers(1));
    const everything = block.present.clone();
    const hits = fastScan(block, new Float32Array(40), everything, 5);
    expect(hits.map(({ offset }) => offset)).toEqual([0, 1, 2, 3, 4]);
  });

  it('scores only slightly more rows than requested for common embedding sizes', () => {
    for (const size of [200, 384, 1536]) {
      const number = createNumbers(size);
      const block = fillBlock('Cosine', size, 4000, shapes.spread!, number);
      const query = preprocessDense('Cosine', shapes.spread!(size, number, 0));
      const shortlist = shortlistRows(block, query, block.present, 100);
      expect(shortlist.length).toBeGreaterThanOrEqual(100);
      expect(shortlist.length).toBeLessThan(400);
    }
  });
});
