import { describe, expect, it } from '@jest/globals';
import { compilePhrase, containsPhrase } from '#match/phrase';

const holds = (text: string, words: string) => {
  const phrase = compilePhrase(words, 'en');
  return phrase !== undefined && containsPhrase(text, 'en', phrase);
};

describe('containsPhrase', () => {
  it.each([
    ['New parents get paid time off.', 'paid time off'],
    ['Paid TIME  off', 'paid time off'],
    ['paid\ntime, off', 'paid time off'],
    ['the state of the art', 'state of the art'],
    ['It is in the house now', 'in the house'],
    ['call for e-mail help', 'e-mail help'],
    ['公司提供产假和陪产假。', '产假和'],
    ['time time off', 'time off'],
    ['a café nearby', 'cafe nearby'],
    ['run policies', 'running policy'],
  ])('finds in %j the phrase %j', (text, phrase) => expect(holds(text, phrase)).toBe(true));

  it.each([
    ['time off is paid', 'paid time off'],
    ['paid sick time off', 'paid time off'],
    ['state art', 'state of the art'],
    ['state of art', 'state of the art'],
    ['on the house', 'in the house'],
    ['产假', '假产'],
    ['paid time', 'paid time off'],
    ['产假后假和', '产假和'],
    ['state-art-fair', 'state fair'],
    ['a mail-order form', 'order form'],
    ['', 'paid'],
  ])('does not find in %j the phrase %j', (text, phrase) => expect(holds(text, phrase)).toBe(false));

  it('has no phrase for stopwords only', () => {
    expect(compilePhrase('to be or not to be', 'en')).toBeUndefined();
    expect(compilePhrase('…', 'en')).toBeUndefined();
  });
});
