import { describe, expect, it } from '@jest/globals';
import { isMisspelling } from '#docs-site/is-misspelling';

describe('a misspelling', () => {
  it.each([
    ['leave', 'leavs'],
    ['leave', 'leav'],
    ['leave', 'leaave'],
    ['leave', 'laeve'],
    ['webhooks', 'webhoks'],
    ['password', 'passwrod'],
    ['configuration', 'cofigurtion'],
  ])('of %s may be %s', (a, b) => {
    expect(isMisspelling(a, b)).toBe(true);
    expect(isMisspelling(b, a)).toBe(true);
  });

  it.each([
    ['cat', 'cap'],
    ['leave', 'weave'],
    ['leave', 'loose'],
    ['limits', 'lmts'],
    ['configuration', 'confabulation'],
  ])('of %s is not %s', (a, b) => expect(isMisspelling(a, b)).toBe(false));
});
