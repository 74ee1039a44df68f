import { describe, expect, it } from '@jest/globals';
import { respell } from '#meaning/respell';

const CORRECTIONS = new Map([
  ['vacination', 'vaccination'],
  ['uberstunden', 'überstunden'],
]);

describe('respell', () => {
  it.each([
    ['vacination rules', 'vaccination rules'],
    ['Vacination, -draft', 'Vaccination, -draft'],
    ['VACINATION', 'VACCINATION'],
    ['"vacination" Uberstunden', '"vaccination" Überstunden'],
    ['vacinations', undefined],
    ['rules', undefined],
  ])('turns %j into %j', (query, expected) => {
    expect(respell(query, CORRECTIONS)).toBe(expected);
  });
});
