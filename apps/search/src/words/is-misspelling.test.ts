import { describe, expect, it } from '@jest/globals';
import { isMisspelling } from '#words/is-misspelling';

describe('isMisspelling', () => {
  it.each([
    ['leave', 'leavs'],
    ['leave', 'leav'],
    ['leave', 'leaave'],
    ['leave', 'laeve'],
    ['webhooks', 'webhoks'],
    ['password', 'passwrod'],
    ['configuration', 'cofigurtion'],
    ['a'.repeat(64), 'a'.repeat(63)],
  ])('accepts %s as %s', (a, b) => {
    expect(isMisspelling(a, b)).toBe(true);
    expect(isMisspelling(b, a)).toBe(true);
  });

  it.each([
    ['cat', 'cap'],
    ['leave', 'weave'],
    ['leave', 'loose'],
    ['limits', 'lmts'],
    ['configuration', 'confabulation'],
    ['a'.repeat(65), 'a'.repeat(64)],
  ])('rejects %s as %s', (a, b) => expect(isMisspelling(a, b)).toBe(false));
});
