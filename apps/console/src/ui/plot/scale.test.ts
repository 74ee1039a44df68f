import { describe, expect, it } from '@jest/globals';
import { compactNumber, labeledIndexes, roundTicks } from '#ui/plot/scale.ts';

describe('plot axes', () => {
  it('have round ticks from zero to at least the largest value', () => {
    expect(roundTicks(87)).toEqual([0, 50, 100]);
    expect(roundTicks(4)).toEqual([0, 1, 2, 3, 4]);
    expect(roundTicks(0.7)).toEqual([0, 0.2, 0.4, 0.6, 0.8]);
    expect(roundTicks(1_200)).toEqual([0, 500, 1_000, 1_500]);
  });

  it('have ticks without data', () => {
    expect(roundTicks(0)).toEqual([0, 1]);
    expect(roundTicks(Number.NEGATIVE_INFINITY)).toEqual([0, 1]);
  });

  it('have as many labels as fit', () => {
    expect(labeledIndexes(24, 6)).toEqual([0, 4, 8, 12, 16, 20]);
    expect(labeledIndexes(3, 10)).toEqual([0, 1, 2]);
    expect(labeledIndexes(0, 5)).toEqual([]);
    expect(compactNumber(12_345)).toBe('12.3K');
  });
});
