import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { extractTerms } from '#analysis/analyze';
import { ENGLISH_BASES, ENGLISH_BEGINNINGS, englishBase } from '#analysis/english-forms';

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

  it.each(['exercise', 'promised', 'enterprise', 'hours', 'poured', 'tourist', 'genre', 'called'])(
    'does not change %s',
    (word) => {
      expect(englishBase(word)).toBe(word);
    },
  );

  it.each(['leaves', 'left', 'felt', 'found', 'ground', 'rung', 'thought', 'led', 'fed', 'sat', 'ran', 'won', 'drew'])(
    'does not change %s, which is also a word, a name or an abbreviation of its own',
    (word) => {
      expect(englishBase(word)).toBe(word);
    },
  );

  it.each([...ENGLISH_BASES, ...ENGLISH_BEGINNINGS])('replaces %s by %s, with the same first letter', (form, base) => {
    expect(englishBase(form)).toBe(base);
    expect(base[0]).toBe(form[0]);
    expect(englishBase(base)).toBe(base);
  });

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
