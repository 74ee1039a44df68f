import { describe, expect, it } from '@jest/globals';
import { paceOf } from '#pages/jobs/pace.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const job = (total: number, indexed: number, status: 'running' | 'completed' = 'running') => ({
  status,
  startedAt: new Date(START).toISOString(),
  progress: { total, collected: indexed, parsed: indexed, indexed, skipped: 0, deleted: 0, failed: 0 },
});

describe('paceOf', () => {
  it('estimates the time left by the mean pace', () => {
    expect(paceOf(job(1_000, 240), START + 120_000)).toEqual({ perMinute: 120, minutesLeft: 7 });
    expect(paceOf(job(10, 9), START + 6_000)).toEqual({ perMinute: 90, minutesLeft: 1 });
    expect(paceOf(job(3, 1), START + 600_000)).toEqual({ perMinute: 1, minutesLeft: 20 });
  });

  it('has no time left while the source is listed', () => {
    expect(paceOf(job(240, 240), START + 120_000)).toEqual({ perMinute: 120, minutesLeft: undefined });
  });

  it('is unknown in the first seconds, without results, and after the end', () => {
    expect(paceOf(job(1_000, 3), START + 2_000)).toBeUndefined();
    expect(paceOf(job(1_000, 0), START + 60_000)).toBeUndefined();
    expect(paceOf({ ...job(1_000, 3), startedAt: null }, START + 60_000)).toBeUndefined();
    expect(paceOf(job(1_000, 1_000, 'completed'), START + 60_000)).toBeUndefined();
  });
});
