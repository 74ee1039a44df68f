import { describe, expect, it } from '@jest/globals';
import { extractTerms, visitTerms } from '#analysis/analyze';
import { LANGUAGES, type Language } from '#analysis/languages';
import { visitTermsAmong } from '#analysis/visit-terms-among';

type Place = readonly [term: string, start: number, end: number];

const languages = Object.keys(LANGUAGES) as Language[];

/** Words that make stemmers work: repeatable, with every initial. */
function words(count: number): string[] {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const endings = ['', 's', 'ing', 'ed', 'heit', 'ement', 'lari', 'amente', 'ie', 'es', 'en', 'ly', 'ion', 'ate', 'y'];
  let state = 7;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
  return Array.from({ length: count }, (_, at) => {
    const stem = Array.from({ length: 1 + next(7) }, () => letters[next(26)]).join('');
    const word = (letters[at % 26] ?? '') + stem + endings[next(endings.length)];
    return at % 3 === 0 ? word.toUpperCase() : at % 3 === 1 ? word : (word[0] ?? '').toUpperCase() + word.slice(1);
  });
}

function places(walk: (visit: (...place: Place) => void) => void): Place[] {
  const found: Place[] = [];
  walk((...place) => found.push(place));
  return found;
}

describe('visitTermsAmong', () => {
  it.each(languages)('visits the same terms as visitTerms in %s, with offsets and in order', (language) => {
    const text = [
      ...words(300),
      "l'usine qu'elle don't e-mail ERR-1042 Straße İstanbul'da Ijs éclair 1,000 zażółć naïve ﬁle K 第3四半期report",
      'ภาษาไทย Москва Αθήνα',
    ].join(' ');
    const all = extractTerms(text, language);
    for (let pick = 0; pick < 7; pick++) {
      const terms = new Set(all.filter((_, at) => at % 7 === pick));
      const expected = places((visit) => visitTerms(text, language, visit)).filter(([term]) => terms.has(term));
      expect(places((visit) => visitTermsAmong(text, language, terms, visit))).toEqual(expected);
    }
  });

  it('visits nothing without terms', () => {
    expect(places((visit) => visitTermsAmong('Paid time off', 'en', new Set(), visit))).toEqual([]);
  });
});
