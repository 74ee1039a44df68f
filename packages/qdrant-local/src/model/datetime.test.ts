import { describe, expect, it } from '@jest/globals';
import { parseDatetimeMicros } from './datetime.ts';

const base = Date.UTC(2024, 1, 29, 12, 30, 15) * 1000;

describe('dates', () => {
  it.each([
    ['2024-02-29T12:30:15Z', base],
    ['2024-02-29T14:30:15+02:00', base],
    ['2024-02-29T12:30:15.123456Z', base + 123456],
    ['2024-02-29T12:30:15.5Z', base + 500000],
    ['2024-02-29 12:30:15', base],
    ['2024-02-29T12:30', base - 15_000_000],
    ['2024-02-29', Date.UTC(2024, 1, 29) * 1000],
  ])('are parsed to the microsecond: %s', (text, micros) => {
    expect(parseDatetimeMicros(text)).toBe(micros);
  });

  it.each(['', 'yesterday', '2024-02-30', '2024-13-01T00:00:00Z', '2024-02-29T25:00:00Z', '20240229'])(
    'do not include %j',
    (text) => {
      expect(parseDatetimeMicros(text)).toBeUndefined();
    },
  );
});
