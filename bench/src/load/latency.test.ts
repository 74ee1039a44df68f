import { describe, expect, it } from '@jest/globals';
import { joinLoads, percentile, summarise } from '#load/latency';

const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);

describe('percentile', () => {
  it('is the smallest value that the share of values does not exceed', () => {
    expect([0.5, 0.95, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 95, 99, 100]);
    expect(percentile([7, 3, 5], 0.5)).toBe(5);
  });

  it('is the only value there is, whatever the share', () => {
    expect([0, 0.5, 1].map((share) => percentile([4], share))).toEqual([4, 4, 4]);
  });

  it('leaves the values in their order', () => {
    const values = [3, 1, 2];
    percentile(values, 0.5);
    expect(values).toEqual([3, 1, 2]);
  });

  it('is not a number where there are no values', () => {
    expect(percentile([], 0.5)).toBeNaN();
  });
});

describe('a load made of several turns', () => {
  const turns = [
    { latenciesMs: [10, 30], elapsedMs: 40, failures: 0, firstFailure: undefined },
    { latenciesMs: [20], elapsedMs: 60, failures: 2, firstFailure: 'refused' },
  ];

  it('has the requests, the time and the failures of all of them', () => {
    expect(summarise(joinLoads(turns))).toEqual({
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
