import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TopK } from './top-k.ts';

describe('the bounded heap', () => {
  it('keeps the same points as a full sort, ties by offset', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 300 }),
        fc.integer({ min: 0, max: 90 }),
        (scores, k) => {
          const top = new TopK(k);
          scores.forEach((score, offset) => {
            top.push(offset, score);
          });
          const sorted = scores
            .map((score, offset) => ({ offset, score }))
            .sort((a, b) => b.score - a.score || a.offset - b.offset);
          expect(top.toSorted()).toEqual(sorted.slice(0, k));
        },
      ),
    );
  });
});
