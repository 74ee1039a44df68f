import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseRowName, type RowName, rowId, rowPath } from '#postgresql/row-id';

const PIECES = ['', '.', '/', ',', '%', '%2C', '%25', '%2c', '%sha256-', '\0', '\n', 'a', 'public', 'é', '💡'];
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join('')),
);
const name = value.filter((text) => text !== '');
const rowName: fc.Arbitrary<RowName> = fc.record({
  schema: name,
  table: name,
  key: fc.array(value, { minLength: 1, maxLength: 4 }),
});

describe('rowId', () => {
  it('identifies exactly one row for any names and values', () => {
    fc.assert(
      fc.property(rowName, (row) => {
        expect(parseRowName(rowId(row), 'other')).toEqual(row);
        expect(parseRowName(rowPath(row), 'other')).toEqual(row);
      }),
      { numRuns: 500, seed: 20_261_123 },
    );
  });

  it('differs for different rows, including their separators', () => {
    fc.assert(
      fc.property(rowName, rowName, (one, other) => {
        expect(rowId(one) === rowId(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
      { numRuns: 500, seed: 20_261_123 },
    );
    const ids = [[''], ['', ''], [','], [' '], ['%'], ['%2C'], ['/'], ['.'], ['a,b'], ['a', 'b']].map((key) =>
      rowId({ schema: 's', table: 't', key }),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('supports an empty key', () => {
    expect(rowId({ schema: 'public', table: 'notes', key: [''] })).toBe('public.notes.');
    expect(parseRowName('notes/', 'public')).toEqual({ schema: 'public', table: 'notes', key: [''] });
    expect(parseRowName('notes', 'public')).toBeUndefined();
  });

  it('contains a digest instead of a key that is too long', () => {
    const row = (end: string): RowName => ({ schema: 's', table: 't', key: [`${','.repeat(1_000)}${end}`] });
    expect(rowId(row('a')).length).toBeLessThan(100);
    expect(rowId(row('a'))).not.toBe(rowId(row('b')));
    const parsed = parseRowName(rowId(row('a')), 's');
    expect(parsed).toMatchObject({ key: [], digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(parsed && rowId(parsed)).toBe(rowId(row('a')));
  });
});
