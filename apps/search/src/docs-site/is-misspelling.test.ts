import { describe, expect, it } from '@jest/globals';
import { isMisspelling } from '#docs-site/is-misspelling';
import { typedWords } from '#docs-site/typed-words';

describe('isMisspelling', () => {
  it.each([
    ['leave', 'leavs'],
    ['leave', 'leav'],
    ['leave', 'leaave'],
    ['leave', 'laeve'],
    ['webhooks', 'webhoks'],
    ['password', 'passwrod'],
    ['configuration', 'cofigurtion'],
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
  ])('rejects %s as %s', (a, b) => expect(isMisspelling(a, b)).toBe(false));
});

describe('typedWords', () => {
  it('returns the first 31 distinct words and the last one', () => {
    const words = Array.from({ length: 200 }, (_, at) => `word${at}`);
    const typed = typedWords(`${words.join(' ')} ${words.join(' ')} lastly`).map(({ word }) => word);
    expect(typed).toEqual([...words.slice(0, 31), 'lastly']);
  });
});
