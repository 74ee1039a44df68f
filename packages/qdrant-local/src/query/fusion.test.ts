import { describe, expect, it } from '@jest/globals';
import { fuseByDistribution, fuseByRank } from './fusion.ts';

const list = (...entries: [offset: number, score: number][]) => entries.map(([offset, score]) => ({ offset, score }));

describe('reciprocal rank fusion', () => {
  it('adds 1 / (rank + 2) over the lists', () => {
    const fused = fuseByRank(
      [list([2, 0.9], [1, 0.8]), list([1, 0.7], [2, 0.6], [3, 0.5]), list([5, 0.9], [3, 0.5], [1, 0.4])],
      2,
    );
    // 1: 1/3 + 1/2 + 1/4; 2: 1/2 + 1/3; 3: 1/4 + 1/3; 5: 1/2
    expect(fused).toEqual(
      list([1, Math.fround(1.0833334)], [2, Math.fround(0.8333334)], [3, Math.fround(0.5833334)], [5, 0.5]),
    );
  });

  it('divides the rank by the weight of its list', () => {
    const fused = fuseByRank([list([1, 0], [2, 0]), list([2, 0], [1, 0])], 2, [3, 1]);
    // 2: 1 / (2/3 + 1) + 1 / (1 + 1) = 0.6 + 0.5; 1: 1 / (1/3 + 1) + 1 / (2 + 1) = 0.75 + 0.3333
    expect(fused.map((hit) => hit.offset)).toEqual([2, 1]);
    expect(fused[0]?.score).toBeCloseTo(1.1, 6);
    expect(fused[1]?.score).toBeCloseTo(1.0833333, 6);
  });

  it('ignores the ranks of a list of weight 0, but keeps its points', () => {
    expect(fuseByRank([list([1, 0]), list([2, 0])], 2, [1, 0])).toEqual(list([1, 0.5], [2, 0]));
  });

  it('keeps points of equal score in the order of the lists', () => {
    expect(fuseByRank([list([9, 1], [4, 1]), list([4, 1], [9, 1])], 2).map((hit) => hit.offset)).toEqual([9, 4]);
  });

  it('rejects a number of weights that differs from the number of lists', () => {
    expect(() => fuseByRank([list([1, 0])], 2, [1, 2])).toThrow('got 2, expected 1');
  });
});

describe('distribution-based fusion', () => {
  it('scales each list by its mean and three sample deviations', () => {
    // Mean 2, sample deviation 1: bounds -1 and 5, so 3 → 4/6, 2 → 3/6, 1 → 2/6.
    const fused = fuseByDistribution([list([1, 3], [2, 2], [3, 1])]);
    expect(fused.map((hit) => hit.offset)).toEqual([1, 2, 3]);
    [4 / 6, 3 / 6, 2 / 6].forEach((score, i) => {
      expect(fused[i]?.score).toBeCloseTo(score, 6);
    });
  });

  it('scores a single point, and points of equal score, one half', () => {
    expect(fuseByDistribution([list([1, 7]), list([1, 4], [2, 4])])).toEqual(list([1, 1], [2, 0.5]));
  });
});
