import { describe, expect, it } from '@jest/globals';
import { type Growth, isDue } from '#spaces/is-due';

const growth = (fields: Partial<Growth>): Growth => ({
  passages: 200,
  previousPassages: fields.passages ?? 200,
  passagesAtTraining: undefined,
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
    expect(isDue(growth({ passages: 599, passagesAtTraining: 300 }))).toBe(false);
    expect(isDue(growth({ passages: 600, passagesAtTraining: 300 }))).toBe(true);
    // The corpus had shrunk below the minimum.
    expect(isDue(growth({ passages: 100, passagesAtTraining: 20 }))).toBe(false);
  });

  it('is false while the corpus is being filled, up to a limit', () => {
    expect(isDue(growth({ passages: 400, previousPassages: 300 }))).toBe(false);
    expect(isDue(growth({ passages: 400, previousPassages: undefined }))).toBe(false);
    expect(isDue(growth({ passages: 400, previousPassages: 398 }))).toBe(true);
    expect(isDue(growth({ passages: 1_600, previousPassages: 1_000 }))).toBe(true);
    expect(isDue(growth({ passages: 25_599, previousPassages: 20_000, passagesAtTraining: 1_600 }))).toBe(false);
    expect(isDue(growth({ passages: 25_600, previousPassages: 20_000, passagesAtTraining: 1_600 }))).toBe(true);
  });
});
