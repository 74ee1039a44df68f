import { describe, expect, it } from '@jest/globals';
import { createMinuteCounts } from '#limits/minute-counts';

describe('createMinuteCounts', () => {
  it('reports a full minute until it ends, separately for each name', () => {
    let now = 1_000;
    const counts = createMinuteCounts(3, () => now);
    counts.add('a');
    counts.add('a');
    expect(counts.fullUntil('a')).toBeUndefined();
    now += 20_000;
    counts.add('a');
    expect(counts.fullUntil('a')).toBe(61_000);
    counts.add('b', 100);
    expect(counts.fullUntil('b')).toBe(81_000);
    now = 61_000;
    expect(counts.fullUntil('a')).toBeUndefined();
  });

  it('ignores counts that were undone', () => {
    const counts = createMinuteCounts(1, () => 0);
    counts.add('a');
    counts.giveBack('a');
    expect(counts.fullUntil('a')).toBeUndefined();
    counts.add('a');
    expect(counts.fullUntil('a')).toBe(60_000);
  });

  it('has no limit at 0', () => {
    const counts = createMinuteCounts(0);
    counts.add('a', 1_000);
    expect(counts.fullUntil('a')).toBeUndefined();
  });
});
