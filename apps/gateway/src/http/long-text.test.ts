import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonInPieces, longTextsOf } from '#http/long-text';

const wrap = (data: object) => ({ data, meta: { requestId: 'req_1' } });

describe('jsonInPieces', () => {
  it('yields the output of JSON.stringify', () =>
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 0, max: 9_000 }),
        fc.record({ id: fc.string({ unit: 'binary' }), metadata: fc.jsonValue() }),
        (units, repeats, rest) => {
          const texts = Object.fromEntries(units.map((unit, at) => [`text${at}`, `${unit}🦊"\n`.repeat(repeats)]));
          const value = { ...rest, ...texts, last: 1 };
          const pieces = [...jsonInPieces(value, wrap)];
          expect(pieces.join('')).toBe(JSON.stringify(wrap(value)));
        },
      ),
      { numRuns: 50 },
    ));

  it('never yields a long piece', () => {
    const value = { content: '\u0001'.repeat(1_000_000) };
    expect(longTextsOf(value)).toHaveLength(1);
    for (const piece of jsonInPieces(value, wrap)) expect(piece.length).toBeLessThanOrEqual(6 * 64 * 1024);
  });

  it('splits only long texts of objects', () => {
    expect(longTextsOf(['x'.repeat(100_000)])).toEqual([]);
    expect(longTextsOf({ content: 'x'.repeat(64 * 1024) })).toEqual([]);
    expect(longTextsOf(null)).toEqual([]);
  });
});
