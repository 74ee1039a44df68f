import { describe, expect, it } from '@jest/globals';
import { mergedPrices, modelsOf, rowOf } from '#pages/models/endpoint-models.ts';

const PRICES = [
  { model: 'a', inputPerMillion: 1, outputPerMillion: 2 },
  { model: 'b', inputPerMillion: 3, outputPerMillion: 4 },
];
const row = (id: string) => rowOf(0, { id, contextWindow: null }, PRICES);
const rowAt = (key: number, id: string) => ({ ...row(id), key });

describe('mergedPrices', () => {
  const opened = [rowAt(0, 'a'), rowAt(1, 'b'), rowAt(2, 'c')] as const;
  const [a, b, c] = opened;

  it('returns undefined if no price was typed', () => {
    expect(mergedPrices(PRICES, opened, opened)).toBeUndefined();
    expect(
      mergedPrices(PRICES, opened, [
        { ...a, contextWindow: '4096' },
        { ...c, id: 'd' },
      ]),
    ).toBeUndefined();
  });

  it('replaces, adds and removes the prices that were typed, and keeps the others', () => {
    const typed = [{ ...a, output: '5' }, b, { ...c, input: '0.1' }];
    expect(mergedPrices(PRICES, opened, typed)).toEqual([
      PRICES[1],
      { model: 'a', inputPerMillion: 1, outputPerMillion: 5 },
      { model: 'c', inputPerMillion: 0.1, outputPerMillion: 0 },
    ]);
    expect(mergedPrices(PRICES, opened, [{ ...b, input: '', output: '' }])).toEqual([PRICES[0]]);
  });

  it('keeps the prices that changed while the form was open', () => {
    const current = [{ model: 'a', inputPerMillion: 10, outputPerMillion: 20 }];
    expect(mergedPrices(current, opened, opened)).toBeUndefined();
    expect(mergedPrices(current, opened, [a, b, { ...c, input: '7' }])).toEqual([
      current[0],
      { model: 'c', inputPerMillion: 7, outputPerMillion: 0 },
    ]);
  });

  it('saves the price of a model that was renamed, and none for a new model without one', () => {
    expect(mergedPrices(PRICES, opened, [{ ...a, id: 'e' }])).toEqual([
      ...PRICES,
      { model: 'e', inputPerMillion: 1, outputPerMillion: 2 },
    ]);
    const added = { key: 3, id: 'b', contextWindow: '', input: '', output: '' };
    expect(mergedPrices(PRICES, [a], [a, added])).toBeUndefined();
  });
});

describe('modelsOf', () => {
  it('returns null for an empty window', () => {
    expect(modelsOf([{ ...row(' a '), contextWindow: '32768' }, row('b')])).toEqual([
      { id: 'a', contextWindow: 32_768 },
      { id: 'b', contextWindow: null },
    ]);
  });
});
