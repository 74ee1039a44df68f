import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../json/types.ts';
import { readFormula } from '../parse/expression.ts';
import { evaluateFormula } from './formula.ts';

const payload: JsonObject = {
  price: 85,
  tags: [1, 2],
  at: '2024-01-01T00:00:10Z',
  place: { lon: 13.4, lat: 52.5 },
  name: 'x',
};

function evaluate(formula: unknown, defaults: Record<string, unknown> = {}, holds = true): number {
  const request = JSON.parse(JSON.stringify({ formula, defaults }));
  return evaluateFormula(readFormula(request), {
    payload,
    scoreOf: (prefetch) => [1, 2][prefetch],
    holds: () => holds,
  });
}

describe('a formula', () => {
  it.each([
    ['a constant', 5, 5],
    ['the score of the first prefetch', '$score', 1],
    ['the score of another prefetch', '$score[1]', 2],
    ['a payload number', 'price', 85],
    ['a sum', { sum: [1, '$score', 'price', { key: 'price', match: { value: 85 } }] }, 88],
    ['a product', { mult: [2, '$score[1]', 'price'] }, 340],
    ['a product ended by zero, whatever follows', { mult: [0, 'missing'] }, 0],
    ['a quotient', { div: { left: 'price', right: 2 } }, 42.5],
    ['a quotient by zero with a default', { div: { left: 1, right: 0, by_zero_default: 7 } }, 7],
    ['zero divided by anything', { div: { left: 0, right: 'missing' } }, 0],
    ['a negation', { neg: 'price' }, -85],
    ['an absolute value', { abs: { neg: 3 } }, 3],
    ['a root', { sqrt: 16 }, 4],
    ['a power', { pow: { base: 2, exponent: 10 } }, 1024],
    ['an exponential', { exp: 0 }, 1],
    ['a decimal logarithm', { log10: 1000 }, 3],
    ['a natural logarithm', { ln: 1 }, 0],
    ['seconds between dates', { sum: [{ datetime_key: 'at' }, { neg: { datetime: '2024-01-01T00:00:00Z' } }] }, 10],
    ['a linear decay at its scale', { lin_decay: { x: 10, scale: 10 } }, 0.5],
    ['a linear decay far away', { lin_decay: { x: 1000, scale: 10 } }, 0],
    ['an exponential decay at twice its scale', { exp_decay: { x: 30, target: 10, scale: 10 } }, 0.25],
    ['a Gaussian decay at twice its scale', { gauss_decay: { x: 20, scale: 10, midpoint: 0.5 } }, 0.0625],
    ['a distance to the same place', { geo_distance: { origin: { lon: 13.4, lat: 52.5 }, to: 'place' } }, 0],
  ])('computes %s', (_, formula, expected) => {
    expect(evaluate(formula)).toBeCloseTo(expected, 5);
  });

  it('measures a degree of latitude as about 111.2 km', () => {
    expect(evaluate({ geo_distance: { origin: { lon: 13.4, lat: 51.5 }, to: 'place' } })).toBeCloseTo(111195, -1);
  });

  it('evaluates a condition that does not match to 0', () => {
    expect(evaluate({ key: 'price', match: { value: 1 } }, {}, false)).toBe(0);
  });

  it('uses defaults for missing scores and payload values', () => {
    expect(evaluate({ sum: ['missing', '$score[7]'] }, { missing: 3, '$score[7]': 0.5 })).toBe(3.5);
    expect(evaluate('$score[7]')).toBe(0);
  });

  it.each([
    ['missing', 'Expected number value for missing'],
    ['name', 'Value is not a number'],
    ['tags', 'Value is not a number'],
    ['$nothing', 'Invalid reserved variable'],
    [{ ln: 0 }, 'ln(0) = -Infinity produced a non-finite number'],
    [{ div: { left: 1, right: 0 } }, 'non-finite'],
    [{ lin_decay: { x: 1, scale: 0 } }, 'Decay scale should be non-zero positive'],
    [{ exp_decay: { x: 1, midpoint: 1 } }, 'Decay midpoint should be in the range (0.0, 1.0)'],
  ])('rejects %j', (formula, message) => {
    expect(() => evaluate(formula)).toThrow(message);
  });
});
