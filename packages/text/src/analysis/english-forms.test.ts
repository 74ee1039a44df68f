import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { extractTerms } from '#analysis/analyze';
import { englishBase } from '#analysis/english-forms';

const termOf = (word: string) => extractTerms(word, 'en').join(' ');

describe('English forms of one word', () => {
  it.each([
    ['paid', 'paying'],
    ['children', 'child'],
    ['analyses', 'analysis'],
    ['vertices', 'vertex'],
    ['stimuli', 'stimulus'],
    ['behaviour', 'behaviors'],
    ['dishonourable', 'dishonorable'],
    ['kilometres', 'kilometer'],
    ['centred', 'centers'],
    ['analysed', 'analyzing'],
    ['organisational', 'organizational'],
    ['cancelled', 'canceling'],
    ['programmes', 'program'],
    ['anaemia', 'anemia'],
    ['paediatric', 'pediatric'],
    ['sulphate', 'sulfate'],
  ])('%s has the term of %s', (form, other) => {
    expect(termOf(form)).toBe(termOf(other));
  });

  it.each(['exercise', 'promised', 'enterprise', 'hours', 'poured', 'tourist', 'genre', 'called', 'leaves', 'left'])(
    'does not change %s',
    (word) => {
      expect(englishBase(word)).toBe(word);
    },
  );

  it('keeps the first letter of every word and does not change a base form', () => {
    const endings = ['our', 'ours', 're', 'red', 'ise', 'ising', 'yse', 'lled', 'aemia', 'ices', 'i', 'a', 'ae', 'ses'];
    const beginnings = [
      'behavi',
      'cent',
      'organ',
      'anal',
      'trave',
      'an',
      'haem',
      'p',
      'matr',
      'paid',
      'sulph',
      'calib',
    ];
    const known = fc
      .tuple(fc.constantFrom(...beginnings), fc.constantFrom('', ...endings))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(known, fc.stringMatching(/^[a-z]{1,12}$/)), (word) => {
        const base = englishBase(word);
        expect(base[0]).toBe(word[0]);
        expect(englishBase(base)).toBe(base);
      }),
    );
  });
});
