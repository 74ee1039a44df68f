import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { storedWeight, termWeight } from '#sparse/bm25';

describe('the stored weight of a term', () => {
  it('differs from its weight by at most 1.9%, and keeps the order of weights', () => {
    const weights = fc
      .tuple(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 5_000 }))
      .map(([frequency, length]) => termWeight(frequency, length, 150));
    fc.assert(
      fc.property(weights, weights, (one, other) => {
        expect(Math.abs(storedWeight(one) / one - 1)).toBeLessThanOrEqual(0.019);
        if (one <= other) expect(storedWeight(one)).toBeLessThanOrEqual(storedWeight(other));
      }),
    );
  });

  it('is one of 256, and never 0', () => {
    const distinct = new Set(Array.from({ length: 20_000 }, (_, at) => Math.fround(storedWeight((at + 1) / 1_000))));
    expect(distinct.size).toBeLessThanOrEqual(256);
    expect(storedWeight(1e-9)).toBe(0.01);
    expect(storedWeight(1e9)).toBe(10);
  });
});
