import { describe, expect, it } from '@jest/globals';
import { bucketLabel, PERIODS, usageQuery } from '#pages/usage/periods.ts';

describe('usageQuery', () => {
  it('covers whole hours or days in UTC, including the current one', () => {
    const now = new Date('2026-03-01T10:20:30.000Z');
    expect(usageQuery(PERIODS[0], now)).toEqual({
      from: '2026-02-28T11:00:00.000Z',
      to: '2026-03-01T11:00:00.000Z',
      interval: 'hour',
    });
    expect(usageQuery(PERIODS[1] ?? PERIODS[0], now)).toEqual({
      from: '2026-02-23T00:00:00.000Z',
      to: '2026-03-02T00:00:00.000Z',
      interval: 'day',
    });
  });

  it('labels days in UTC', () => {
    expect(bucketLabel('2026-03-01T00:00:00.000Z', 'day')).toBe('Mar 1');
  });
});
