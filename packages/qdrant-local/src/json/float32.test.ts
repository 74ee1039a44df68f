import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shortestFloat32 } from './float32.ts';

describe('the shortest text of a 32-bit float', () => {
  it('is the one a person wrote', () => {
    expect(shortestFloat32(Math.fround(0.1))).toBe(0.1);
    expect(shortestFloat32(Math.fround(0.5833334))).toBe(0.5833334);
    expect(shortestFloat32(16777216)).toBe(16777216);
  });

  it('always reads back as the same float', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Math.fround(shortestFloat32(value))).toBe(Math.fround(value));
      }),
    );
  });
});
