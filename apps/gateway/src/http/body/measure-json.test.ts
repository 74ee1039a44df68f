import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_KEY_BYTES, MAX_NESTING } from '#http/body/json-limits';
import { createJsonMeter } from '#http/body/measure-json';

const ANY = { values: 1_000_000, keys: 1_000_000 };

function countOf(value: unknown): { values: number; keys: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, keys: 0 };
  const counts = Object.values(value).map(countOf);
  return {
    values: counts.reduce((sum, count) => sum + count.values, 1),
    keys: counts.reduce((sum, count) => sum + count.keys, Array.isArray(value) ? 0 : counts.length),
  };
}

function errorOf(text: string, limits: typeof ANY, pieceBytes = 7): string | undefined {
  const bytes = Buffer.from(text);
  const meter = createJsonMeter(limits);
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) meter.write(bytes.subarray(at, at + pieceBytes));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return undefined;
}

describe('a JSON meter', () => {
  it('counts the same as the parser, however the bytes are split', () => {
    const json = fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }).filter((value) => typeof value !== 'string');
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 50 }), fc.boolean(), (value, pieceBytes, indented) => {
        const text = JSON.stringify(value, null, indented ? 2 : 0);
        const limits = countOf(JSON.parse(text));
        expect(errorOf(text, limits, pieceBytes)).toBeUndefined();
        expect(errorOf(text, { ...limits, values: limits.values - 1 }, pieceBytes) === undefined).toBe(
          limits.values === 1,
        );
        expect(errorOf(text, { ...limits, keys: limits.keys - 1 }, pieceBytes) === undefined).toBe(limits.keys === 0);
      }),
      { numRuns: 500 },
    );
  });

  it('names the field that exceeds a limit', () => {
    const limits = { values: 10, keys: 5 };
    expect(errorOf(`{"query":"x","filters":{"$or":[${'{},'.repeat(20)}{}]}}`, limits)).toMatch(
      /^filters: exceeds the limit of 10 values per request body$/,
    );
    expect(errorOf('{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}', limits)).toMatch(
      /^e: exceeds the limit of 5 names per request body$/,
    );
    expect(errorOf(`{"\\"é":${'['.repeat(MAX_NESTING)}`, ANY)).toMatch(/^\\"é: .* deeper than 64 levels$/);
    expect(errorOf(`{"${'x'.repeat(MAX_KEY_BYTES + 1)}":1}`, ANY)).toContain(`more than ${MAX_KEY_BYTES} bytes`);
  });

  it('treats long strings as single values', () => {
    expect(errorOf(JSON.stringify({ content: '{"a":[,,'.repeat(10_000) }), { values: 2, keys: 1 }, 65_536)).toBe(
      undefined,
    );
  });
});
