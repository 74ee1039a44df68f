import { describe, expect, it } from '@jest/globals';
import { BUCKETS, bucketOf, percentileMs } from '#usage/durations';

const histogram = (durations: readonly number[]): number[] => {
  const counts = new Array<number>(BUCKETS).fill(0);
  for (const ms of durations) counts[bucketOf(ms)]! += 1;
  return counts;
};

describe('the histogram of durations', () => {
  it('assigns each duration to a bucket, and durations beyond the last bound to the last bucket', () => {
    expect([0, 0.5, 1, 1.1].map(bucketOf)).toEqual([0, 0, 0, 0]);
    expect(bucketOf(2)).toBe(3);
    expect(bucketOf(2.001)).toBe(4);
    expect([2 ** 18 + 1, Number.MAX_VALUE].map(bucketOf)).toEqual([BUCKETS - 1, BUCKETS - 1]);
  });

  it('estimates percentiles within a fifth of the exact value', () => {
    const durations = Array.from({ length: 1_000 }, (_, i) => 1 + i * 3);
    for (const share of [0.05, 0.5, 0.95, 0.99]) {
      const truth = durations[Math.ceil(share * 1_000) - 1]!;
      const estimate = percentileMs(histogram(durations), share)!;
      expect(Math.abs(estimate / truth - 1)).toBeLessThan(0.2);
    }
  });

  it('returns nothing without values, and the last bound for larger values', () => {
    expect(percentileMs(histogram([]), 0.5)).toBeNull();
    expect(percentileMs(histogram([10 ** 9]), 0.5)).toBe(2 ** 18);
    expect(percentileMs(histogram([0]), 0.95)).toBeLessThan(1.2);
  });
});
