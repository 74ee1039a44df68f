import { describe, expect, it } from '@jest/globals';
import { BUCKETS, bucketOf, percentileMs } from '#usage/durations';

const histogram = (durations: readonly number[]): number[] => {
  const counts = new Array<number>(BUCKETS).fill(0);
  for (const ms of durations) counts[bucketOf(ms)]! += 1;
  return counts;
};

describe('the histogram of durations', () => {
  it('has a bucket for each duration, the longest with the shortest beyond all bounds', () => {
    expect([0, 0.5, 1, 1.1].map(bucketOf)).toEqual([0, 0, 0, 0]);
    expect(bucketOf(2)).toBe(3);
    expect(bucketOf(2.001)).toBe(4);
    expect([2 ** 18 + 1, Number.MAX_VALUE].map(bucketOf)).toEqual([BUCKETS - 1, BUCKETS - 1]);
  });

  it('tells percentiles within a fifth of the truth', () => {
    const durations = Array.from({ length: 1_000 }, (_, i) => 1 + i * 3);
    for (const share of [0.05, 0.5, 0.95, 0.99]) {
      const truth = durations[Math.ceil(share * 1_000) - 1]!;
      const told = percentileMs(histogram(durations), share)!;
      expect(Math.abs(told / truth - 1)).toBeLessThan(0.2);
    }
  });

  it('tells nothing of nothing, and the last bound of what lies beyond it', () => {
    expect(percentileMs(histogram([]), 0.5)).toBeNull();
    expect(percentileMs(histogram([10 ** 9]), 0.5)).toBe(2 ** 18);
    expect(percentileMs(histogram([0]), 0.95)).toBeLessThan(1.2);
  });
});
