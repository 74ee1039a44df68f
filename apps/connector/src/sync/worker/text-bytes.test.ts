import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countedBytes, MAX_TEXT_BYTES } from '#sync/worker/text-bytes';

describe('countedBytes', () => {
  it('never counts more than a quarter of the budget, or less for a longer text', () => {
    fc.assert(
      fc.property(fc.nat(20_000_000), fc.nat(20_000_000), (one, other) => {
        const [short, long] = [Math.min(one, other), Math.max(one, other)].map((length) => countedBytes({ length }));
        expect(short).toBeGreaterThan(0);
        expect(long).toBeGreaterThanOrEqual(short!);
        expect(long).toBeLessThanOrEqual(MAX_TEXT_BYTES / 4);
      }),
    );
  });
});
