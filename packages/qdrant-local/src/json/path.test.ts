import { describe, expect, it } from '@jest/globals';
import { flatValuesAt, parseJsonPath, valuesAt } from './path.ts';
import { removePayloadAt, setPayloadAt } from './path-update.ts';
import { selectPayload } from './payload-selector.ts';
import type { JsonObject } from './types.ts';

function path(text: string) {
  const parsed = parseJsonPath(text);
  if (!parsed) throw new Error(`Not a path: ${text}`);
  return parsed;
}

const payload: JsonObject = {
  a: { b: [{ c: 1 }, { c: 2 }, { d: { e: 3 } }] },
  f: 3,
  g: ['g0', 'g1', 'g2'],
  'with.dot': 4,
  arr: [{ a: [1, 2, 3] }, { a: 4 }, { b: 5 }],
};

describe('a payload path', () => {
  it.each([
    ['f', [3]],
    ['g', [['g0', 'g1', 'g2']]],
    ['g[]', ['g0', 'g1', 'g2']],
    ['g[2]', ['g2']],
    ['g[3]', []],
    ['a.b[].c', [1, 2]],
    ['a.b[1].c', [2]],
    ['a.b.c', []],
    ['arr[].a', [[1, 2, 3], 4]],
    ['arr[].a[]', [1, 2, 3]],
    ['"with.dot"', [4]],
    ['toString', []],
  ])('finds the values at %s', (text, expected) => {
    expect(valuesAt(path(text), payload)).toEqual(expected);
  });

  it('flattens leaf arrays one level for indexes', () => {
    expect(flatValuesAt(path('arr[].a'), payload)).toEqual([1, 2, 3, 4]);
  });

  it.each(['', 'a.', '.a', 'a b', 'a[x]', 'a..b', '"unclosed'])('rejects %j', (text) => {
    expect(parseJsonPath(text)).toBeUndefined();
  });

  it('has one canonical form', () => {
    expect(path('"a"."b c"[].d[0]').text).toBe('a."b c"[].d[0]');
  });
});

describe('setting payload at a path', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['a', { a: 10 }, { a: { x: 1 } }],
    ['k.l', {}, { k: { l: { x: 1 } } }],
    ['k.l[2]', {}, { k: { l: [null, null, { x: 1 }] } }],
    ['k.l[].m', {}, { k: { l: [] } }],
    ['b[].c', { b: [{}, { c: { y: 2 } }] }, { b: [{ c: { x: 1 } }, { c: { y: 2, x: 1 } }] }],
  ])('%s of %j', (text, before, after) => {
    expect(setPayloadAt(before, path(text), { x: 1 })).toEqual(after);
  });

  it('removes keys that are set to null', () => {
    expect(setPayloadAt({ a: 1, b: 2 }, undefined, { a: null, c: 3 })).toEqual({ b: 2, c: 3 });
  });

  it('treats __proto__ as an ordinary key', () => {
    const changed = setPayloadAt({}, undefined, JSON.parse('{"__proto__": {"polluted": true}}'));
    expect(JSON.stringify(changed)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(changed)).toBe(Object.prototype);
  });
});

describe('removing payload at a path', () => {
  it.each([
    ['f', { ...payload, f: undefined }],
    ['a.b[].c', { ...payload, a: { b: [{}, {}, { d: { e: 3 } }] } }],
    ['g[1]', { ...payload, g: ['g0', 'g2'] }],
    ['g[]', { ...payload, g: [] }],
    ['nothing.here', payload],
  ])('%s', (text, expected) => {
    expect(removePayloadAt(payload, path(text))).toEqual(JSON.parse(JSON.stringify(expected)));
  });
});

describe('selecting payload', () => {
  it('includes the values at a path with their parents', () => {
    const selected = selectPayload({ kind: 'include', paths: [path('a.b[].c'), path('f')] }, payload);
    expect(selected).toEqual({ a: { b: [{ c: 1 }, { c: 2 }, {}] }, f: 3 });
  });

  it('excludes the values at a path', () => {
    const selected = selectPayload({ kind: 'exclude', paths: [path('a.b[].d'), path('arr'), path('g')] }, payload);
    expect(selected).toEqual({ a: { b: [{ c: 1 }, { c: 2 }, {}] }, f: 3, 'with.dot': 4 });
  });
});
