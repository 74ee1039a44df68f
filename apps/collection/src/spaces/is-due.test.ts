import { describe, expect, it } from '@jest/globals';
import { type Growth, isDue } from '#spaces/is-due';

const growth = (fields: Partial<Growth>): Growth => ({
  passages: 200,
  before: fields.passages ?? 200,
  learnedAt: undefined,
  minimum: 200,
  factor: 2,
  ...fields,
});

describe('isDue', () => {
  it('is true once the corpus is large enough', () => {
    expect(isDue(growth({ passages: 199 }))).toBe(false);
    expect(isDue(growth({ passages: 200 }))).toBe(true);
  });

  it('is true again after growth by the factor', () => {
    expect(isDue(growth({ passages: 599, learnedAt: 300 }))).toBe(false);
    expect(isDue(growth({ passages: 600, learnedAt: 300 }))).toBe(true);
    // The corpus had shrunk below the minimum.
    expect(isDue(growth({ passages: 100, learnedAt: 20 }))).toBe(false);
  });

  it('is false while the corpus is being filled, up to a limit', () => {
    expect(isDue(growth({ passages: 400, before: 300 }))).toBe(false);
    expect(isDue(growth({ passages: 400, before: undefined }))).toBe(false);
    expect(isDue(growth({ passages: 400, before: 398 }))).toBe(true);
    expect(isDue(growth({ passages: 1_600, before: 1_000 }))).toBe(true);
    expect(isDue(growth({ passages: 25_599, before: 20_000, learnedAt: 1_600 }))).toBe(false);
    expect(isDue(growth({ passages: 25_600, before: 20_000, learnedAt: 1_600 }))).toBe(true);
  });
});
