import { describe, expect, it } from '@jest/globals';
import * as german from '#browser/texts/de';
import * as english from '#browser/texts/en';
import { askTexts, widgetTexts } from '#browser/texts/texts';

/** Texts that are the same in both languages. */
const SAME = ['ask.code'];

/** The texts of a catalog by key. Texts with variables get a count and a title. */
function entriesOf(catalog: object, prefix = ''): (readonly [string, string])[] {
  return Object.entries(catalog).flatMap(([name, value]): (readonly [string, string])[] => {
    const key = prefix + name;
    if (typeof value === 'string') return [[key, value]];
    return typeof value === 'function' ? [[key, value(1_234, 'x')]] : entriesOf(value, `${key}.`);
  });
}

const inEnglish = new Map(entriesOf(english));
const inGerman = new Map(entriesOf(german));

describe('the catalogs', () => {
  it('have the same texts', () => {
    expect([...inGerman.keys()].sort()).toEqual([...inEnglish.keys()].sort());
  });

  it('have no empty text, and no English text in German', () => {
    expect([...inEnglish, ...inGerman].filter(([, text]) => text.trim() === '')).toEqual([]);
    const same = [...inEnglish].filter(([key, text]) => inGerman.get(key) === text).map(([key]) => key);
    expect(same).toEqual(SAME);
  });

  it('are chosen by language, and English for a script that gives none', () => {
    expect([widgetTexts('de'), widgetTexts('en')]).toEqual([german.widget, english.widget]);
    expect([askTexts('de'), askTexts('en'), askTexts(undefined)]).toEqual([german.ask, english.ask, english.ask]);
  });
});

describe('the plurals', () => {
  it.each([
    [1, '1 result.', '1 Ergebnis.'],
    [2, '2 results.', '2 Ergebnisse.'],
    [1_234, '1,234 results.', '1.234 Ergebnisse.'],
  ])('of %d results', (count, expected, expectedGerman) => {
    expect([english.widget.results(count), german.widget.results(count)]).toEqual([expected, expectedGerman]);
  });

  it.each([
    [1, 'with 1 source.', 'nennt 1 Quelle.'],
    [2, 'with 2 sources.', 'nennt 2 Quellen.'],
  ])('of %d sources', (count, expected, expectedGerman) => {
    expect(english.ask.completeWithSources(count)).toContain(expected);
    expect(german.ask.completeWithSources(count)).toContain(expectedGerman);
  });

  it.each([
    [1, 'again in 1 second.', 'es in 1 Sekunde erneut.'],
    [30, 'again in 30 seconds.', 'es in 30 Sekunden erneut.'],
    [3_600, 'again in 3,600 seconds.', 'es in 3.600 Sekunden erneut.'],
  ])('of %d seconds', (seconds, expected, expectedGerman) => {
    for (const text of [english.widget.tooMany(seconds), english.ask.tooManyUntil(seconds)]) {
      expect(text).toContain(expected);
    }
    for (const text of [german.widget.tooMany(seconds), german.ask.tooManyUntil(seconds)]) {
      expect(text).toContain(expectedGerman);
    }
  });
});
