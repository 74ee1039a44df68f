import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { retryAfterMs } from '#retry-after';

const NOW = Date.UTC(2026, 0, 5, 12, 0, 0);
const THIRTY_DAYS = 30 * 86_400_000;

describe('retryAfterMs', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 1.5 ', 1_500],
    ['99999999999999999999', THIRTY_DAYS],
    ['Mon, 05 Jan 2026 12:00:30 GMT', 30_000],
    ['Monday, 05-Jan-26 12:00:30 GMT', 30_000],
    ['Mon Jan  5 12:00:30 2026', 30_000],
    ['2026-01-05T12:00:30Z', 30_000],
    ['Mon, 05 Jan 2026 11:59:00 GMT', 0],
    ['Wed, 05 Jan 2028 12:00:00 GMT', THIRTY_DAYS],
  ])('reads %j', (header, waitMs) => {
    expect(retryAfterMs(header, NOW)).toBe(waitMs);
  });

  it.each([null, undefined, '', ' ', '-5', '1e3', 'soon', 'in 5 s', 'Infinity', 'Mon', '1, 2'])(
    'ignores %j',
    (header) => {
      expect(retryAfterMs(header, NOW)).toBeUndefined();
    },
  );

  it('reads every whole number of seconds up to 30 days', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 * 86_400 }), (seconds) => {
        expect(retryAfterMs(String(seconds), NOW)).toBe(seconds * 1_000);
      }),
    );
  });

  it('reads every HTTP date', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 30 * 86_400 }), (seconds) => {
        const header = new Date(NOW + seconds * 1_000).toUTCString();
        expect(retryAfterMs(header, NOW)).toBe(Math.max(0, seconds) * 1_000);
      }),
    );
  });

  it('returns a bounded wait or undefined for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^(Mon|Tue)?[\d:., TZGM+-]*$/)), (header) => {
        const waitMs = retryAfterMs(header, NOW);
        if (waitMs === undefined) return;
        expect(waitMs).toBeGreaterThanOrEqual(0);
        expect(waitMs).toBeLessThanOrEqual(THIRTY_DAYS);
      }),
    );
  });
});
