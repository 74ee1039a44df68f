import { describe, expect, it } from '@jest/globals';
import { slopeOf } from '#soak/slope';

const MINUTE_MS = 60_000;

describe('slope', () => {
  it('returns the hourly growth as a share of the start, without error on a straight line', () => {
    const { start, perHour, error } = slopeOf([0, 1, 2, 3, 4].map((at) => [1_000 + at * 15 * MINUTE_MS, 200 + at * 5]));
    expect(start).toBeCloseTo(200);
    expect(perHour).toBeCloseTo(0.1);
    expect(error).toBeCloseTo(0);
  });

  it('returns the standard error of a regression', () => {
    // Calculated by hand: x = 0, 1, 2 h; y = 100, 130, 100. Slope 0, start 110, residual sum of
    // squares 600, spread 2.
    const { start, perHour, error } = slopeOf([
      [0, 100],
      [60 * MINUTE_MS, 130],
      [120 * MINUTE_MS, 100],
    ]);
    expect(start).toBeCloseTo(110);
    expect(perHour).toBeCloseTo(0);
    expect(error).toBeCloseTo(Math.sqrt(600 / 1 / 2) / 110);
  });
});
