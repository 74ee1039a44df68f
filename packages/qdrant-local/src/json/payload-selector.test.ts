import { describe, expect, it } from '@jest/globals';
import { parseJsonPath } from './path.ts';
import { type PayloadSelector, selectPayload } from './payload-selector.ts';
import type { JsonObject } from './types.ts';

const payload = JSON.parse(
  '{"b": [{"c": 1, "d": 2}, 3], "a": {"x": null, "y": [[]]}, "__proto__": {"z": 1}, "e": null}',
) as JsonObject;

const include = (...paths: string[]): PayloadSelector => ({
  kind: 'include',
  paths: paths.map((path) => parseJsonPath(path)!),
});
const select = (...paths: string[]) => JSON.stringify(selectPayload(include(...paths), payload));

describe('selectPayload', () => {
  it('returns complete top-level values in the order of the payload', () => {
    expect(select('e', 'a', 'b')).toBe('{"b":[{"c":1,"d":2},3],"a":{"x":null,"y":[[]]},"e":null}');
  });

  it('returns the same for top-level keys, with or without a deeper path', () => {
    for (const keys of [['a'], ['b'], ['__proto__'], ['a', 'b', '__proto__', 'e']]) {
      expect(select(...keys)).toBe(select(...keys, 'missing.deep'));
    }
  });

  it('treats `__proto__` as an ordinary key and ignores inherited names', () => {
    expect(select('__proto__')).toBe('{"__proto__":{"z":1}}');
    expect(select('constructor', 'toString')).toBe('{}');
  });

  it('returns the parts at deeper paths', () => {
    expect(select('b[].c', 'a.x')).toBe('{"b":[{"c":1},3],"a":{"x":null}}');
  });
});
