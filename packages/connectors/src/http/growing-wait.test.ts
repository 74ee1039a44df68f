import { describe, expect, it } from '@jest/globals';
import { createGrowingWait } from '#http/growing-wait';

describe('createGrowingWait', () => {
  it('grows with each failure up to the last step, and starts again after a success', () => {
    const wait = createGrowingWait([10, 100]);
    expect(wait.next(1_000).getTime()).toBe(1_010);
    expect(wait.next(1_010).getTime()).toBe(1_110);
    expect(wait.next(2_000).getTime()).toBe(2_100);
    wait.reset();
    expect(wait.next(3_000).getTime()).toBe(3_010);
  });

  it('counts concurrent failures as one', () => {
    const wait = createGrowingWait([10, 100]);
    expect([1, 2, 3].map((at) => wait.next(1_000 + at).getTime())).toEqual([1_011, 1_011, 1_011]);
  });
});
