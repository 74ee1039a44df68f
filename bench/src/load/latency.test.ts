import { describe, expect, it } from '@jest/globals';
import { joinLoads, percentile, summarize } from '#load/latency';

const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);

describe('percentile', () => {
  it('returns the smallest value that the share of values does not exceed', () => {
    expect([0.5, 0.95, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 95, 99, 100]);
    expect(percentile([7, 3, 5], 0.5)).toBe(5);
  });

  it('returns the only value for any share', () => {
    expect([0, 0.5, 1].map((share) => percentile([4], share))).toEqual([4, 4, 4]);
  });

  it('does not reorder the values', () => {
    const values = [3, 1, 2];
    percentile(values, 0.5);
    expect(values).toEqual([3, 1, 2]);
  });

  it('returns NaN without values', () => {
    expect(percentile([], 0.5)).toBeNaN();
  });
});

describe('several loads', () => {
  const turns = [
    { latenciesMs: [10, 30], elapsedMs: 40, failures: 0, firstFailure: undefined },
    { latenciesMs: [20], elapsedMs: 60, failures: 2, firstFailure: 'refused' },
  ];

  it('are combined by adding requests, time and failures', () => {
    expect(summarize(joinLoads(turns))).toEqual({
      p50Ms: 20,
      p95Ms: 30,
      p99Ms: 30,
      perSecond: 30,
      requests: 3,
      failures: 2,
      firstFailure: 'refused',
    });
  });
});
