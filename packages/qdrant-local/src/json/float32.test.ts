import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shortestByText, shortestFloat32 } from './float32.ts';

describe('the shortest decimal form of a 32-bit float', () => {
  it('is the form that was written', () => {
    expect(shortestFloat32(Math.fround(0.1))).toBe(0.1);
    expect(shortestFloat32(Math.fround(0.5833334))).toBe(0.5833334);
    expect(shortestFloat32(16777216)).toBe(16777216);
  });

  it('always parses to the same float', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Math.fround(shortestFloat32(value))).toBe(Math.fround(value));
      }),
    );
  });

  it('is the same by arithmetic and by text', () => {
    const usual = fc.float({ min: -2e9, max: 2e9, noNaN: true });
    const small = fc.float({ min: Math.fround(-0.001), max: Math.fround(0.001), noNaN: true });
    // Halves, quarters and so on are halfway between decimal fractions.
    const dyadic = fc
      .tuple(fc.integer({ min: -5000, max: 5000 }), fc.integer({ min: 0, max: 24 }))
      .map(([n, k]) => n / 2 ** k);
    fc.assert(
      fc.property(fc.oneof(usual, small, dyadic), (value) => {
        const single = Math.fround(value);
        expect(shortestFloat32(value)).toBe(Number.isInteger(single) ? single : shortestByText(single));
      }),
      { numRuns: 20_000 },
    );
  });
});
