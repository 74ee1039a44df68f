import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonBytes } from '#http/json-bytes';

const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'é', '–', '🙂', '\ud83d', '\u2028') });
const { tree: value } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      text,
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.constant(undefined),
      fc.date({ noInvalidDate: true }),
    ),
    fc.array(tie('tree'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(text, fc.nat().map(String)), tie('tree'), { maxKeys: 5 }),
  ),
}));

describe('jsonBytes', () => {
  it('writes the same as JSON.stringify', () => {
    const response = fc.record({ data: fc.oneof(value, fc.record({ results: fc.array(value) })), meta: value });
    fc.assert(
      fc.property(response, (body) => {
        expect(jsonBytes(body).toString()).toBe(JSON.stringify(body));
      }),
    );
  });

  it('writes the same for long lists, records with own rules, functions and gaps', () => {
    const results = Array.from({ length: 100 }, (_, at) => ({ at, text: `– ${'passage '.repeat(at * 20)}` }));
    for (const data of [
      { results },
      results,
      { url: new URL('https://example.com/ü') },
      [1, undefined, () => 0],
      new Array(3),
      { f: () => 0 },
      [],
    ]) {
      expect(jsonBytes({ data, meta: {} }).toString()).toBe(JSON.stringify({ data, meta: {} }));
    }
  });
});
