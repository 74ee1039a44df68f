import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { extractTerms, visitIndexTerms, visitTerms } from '#analysis/analyze';
import { ENGLISH_BASES, ENGLISH_BEGINNINGS, englishBase } from '#analysis/english-forms';
import { LANGUAGES, type Language } from '#analysis/languages';
import { visitTermsAmong, visitTokensWith } from '#analysis/visit-terms-among';

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

/** Words in whose middle or end the British spelling differs: one of each pattern. */
const SPELLINGS = ['dishonourable', 'theatres', 'centring', 'hydrolysing', 'reorganisation', 'marvelled'];
const forms = [...ENGLISH_BASES.keys(), ...[...ENGLISH_BEGINNINGS.keys()].map((start) => `${start}ic`), ...SPELLINGS];

describe('visitTermsAmong', () => {
  it.each(forms)('visits %s for the term of its base form', (form) => {
    const found = extractTerms(englishBase(form), 'en');
    const visited = places((visit) => visitTermsAmong(`An ${form} here`, 'en', new Set(found), visit));
    expect(visited).toEqual(found.map((term) => [term, 3, 3 + form.length]));
  });

  it('visits what visitIndexTerms visits for any terms, also of English words in other scripts', () => {
    const known = fc.constantFrom(...forms, ...ENGLISH_BASES.values());
    const word = fc.oneof(
      { weight: 4, arbitrary: known },
      { weight: 1, arbitrary: known.map((form) => form.toUpperCase()) },
      { weight: 2, arbitrary: fc.stringMatching(/^[a-z]{1,8}$/) },
      { weight: 1, arbitrary: fc.constantFrom('the', 'about', 'IT', 'и', 'не', 'Москва', '東京', 'ชา', 'getUser') },
    );
    const list = fc.array(word, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(list, list, fc.constantFrom(...languages), (textWords, termWords, language) => {
        const text = textWords.join(' ');
        const terms = new Set<string>();
        for (const term of termWords) visitIndexTerms(term, language, (found) => terms.add(found));
        const isAmong = ([term]: Place) => terms.has(term);
        expect(places((visit) => visitTermsAmong(text, language, terms, visit))).toEqual(
          places((visit) => visitIndexTerms(text, language, visit)).filter(isAmong),
        );
        const tokens = places((visit) =>
          visitTokensWith(text, language, terms, (found, ...place) => {
            for (const term of found) visit(term, ...place);
          }),
        );
        expect(tokens.filter(isAmong)).toEqual(places((visit) => visitTerms(text, language, visit)).filter(isAmong));
      }),
      { numRuns: 3_000 },
    );
  });

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
