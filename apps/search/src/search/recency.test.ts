import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { recencyFactor, startOfDay } from '#search/recency';

const DAY = 86_400_000;
const now = Date.UTC(2026, 10, 23);
const recency = fc.record({
  halfLifeDays: fc.double({ min: 1, max: 3_650, noNaN: true }),
  weight: fc.double({ min: 0, max: 1, noNaN: true }),
  now: fc.constant(now),
});
const age = fc.integer({ min: 0, max: 20_000 });

describe('the recency factor', () => {
  it('halves the weight once per half-life', () => {
    const half = { halfLifeDays: 30, weight: 0.6, now };
    const factors = [0, 30, 60, 100_000].map((days) => recencyFactor(half, now - days * DAY));
    expect(factors[0]).toBe(1);
    expect(factors[1]).toBeCloseTo(0.7, 10);
    expect(factors[2]).toBeCloseTo(0.55, 10);
    expect(factors[3]).toBeCloseTo(0.4, 10);
  });

  it('is between 1 - weight and 1, and never higher for an older document', () => {
    fc.assert(
      fc.property(recency, age, age, (settings, a, b) => {
        const [newer, older] = [Math.min(a, b), Math.max(a, b)].map((days) =>
          recencyFactor(settings, now - days * DAY),
        );
        expect(older).toBeLessThanOrEqual(newer ?? 0);
        expect(newer).toBeLessThanOrEqual(1);
        expect(older).toBeGreaterThanOrEqual(1 - settings.weight - 1e-12);
      }),
    );
  });

  it('does not exceed 1 for dates in the future, and treats unknown dates as old', () => {
    const settings = { halfLifeDays: 30, weight: 0.6, now };
    expect(recencyFactor(settings, now + DAY)).toBe(1);
    expect(recencyFactor(settings, undefined)).toBe(0.4);
  });

  it('uses the same reference during a UTC day', () => {
    expect(startOfDay(now + DAY - 1)).toBe(now);
    expect(startOfDay(now)).toBe(now);
  });
});
