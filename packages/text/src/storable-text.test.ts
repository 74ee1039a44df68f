import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { storableJson } from '#storable-text';

/** Copies a value field by field with assignments, like the database client. */
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== 'object' || value === null) return value;
  const copied: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) copied[name] = copy(field);
  return copied;
}

it('makes any JSON value storable, and survives copies by assignment', () => {
  const names = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'a\u0000', '\ud800'));
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, 1, '\u0000', '\udfff'),
      fc.string({ unit: 'binary' }),
      fc.array(tie('json')),
      fc.array(fc.tuple(names, tie('json'))).map((fields) => Object.fromEntries(fields)),
    ),
  }));
  fc.assert(
    fc.property(json, (value) => {
      const stored = storableJson(value);
      expect(JSON.stringify(copy(stored))).toBe(JSON.stringify(stored));
      expect(JSON.stringify(stored)).not.toMatch(/\\u0000|\\ud[89a-f]|"__proto__":/);
    }),
  );
});

it('keeps the other fields', () => {
  expect(
    storableJson(JSON.parse('{"__proto__":{"a":1},"constructor":null,"b\\u0000":[{"__proto__":1,"c":2}]}')),
  ).toEqual({ constructor: null, b: [{ c: 2 }] });
});
