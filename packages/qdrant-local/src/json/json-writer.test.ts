import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shortestFloat32 } from './float32.ts';
import { JsonWriter } from './json-writer.ts';

function written(write: (json: JsonWriter) => void): string {
  const json = new JsonWriter();
  write(json);
  return json.toString();
}

describe('a JSON writer', () => {
  it('writes a 32-bit float like the JSON of its shortest double', () => {
    const scores = fc.oneof(
      fc.float({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: -100, max: 100, noNaN: true }),
    );
    fc.assert(
      fc.property(scores, (value) => {
        expect(written((json) => json.float32(value))).toBe(JSON.stringify(shortestFloat32(value)));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([0, -0, 0.1, -0.5, 1.25, 100.5, 1e-4, 123_456.79, 1e9, 3e38, 1e-40])('writes %d', (value) => {
    expect(written((json) => json.float32(value))).toBe(JSON.stringify(shortestFloat32(value)));
  });

  it('writes integers', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(written((json) => json.integer(value))).toBe(JSON.stringify(value));
      }),
    );
    expect([0, 9, 10, 2 ** 31 - 1, 2 ** 31].map((value) => written((json) => json.integer(value)))).toEqual([
      '0',
      '9',
      '10',
      '2147483647',
      '2147483648',
    ]);
  });
});
