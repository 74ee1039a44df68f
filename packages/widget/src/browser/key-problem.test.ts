import { expect, it } from '@jest/globals';
import { keyProblem } from '#browser/key-problem';
import { ask, widget } from '#browser/texts/en';

const TEXTS = { search: widget, ask };

it.each([
  ['', 'search', 'key is missing'],
  ['', 'ask', 'key is missing'],
  ['lectern_sk_x', 'search', 'secret key must never'],
  ['lectern_sk_x', 'ask', 'secret key must never'],
  ['lectern_pk_x', 'ask', 'Only signed-in visitors'],
] as const)('rejects the key %p in the mode %s', (key, mode, expected) => {
  expect(keyProblem(key, TEXTS[mode])).toContain(expected);
});

it('accepts publishable keys for searches, and user tokens for both modes', () => {
  expect(keyProblem('lectern_pk_x', widget)).toBeUndefined();
  expect(keyProblem('lectern_ut_x', widget)).toBeUndefined();
  expect(keyProblem('lectern_ut_x', ask)).toBeUndefined();
});
