import { describe, expect, it } from '@jest/globals';
import { detectLanguage, isLanguage } from '@lectern/text';
import fc from 'fast-check';
import { MESSAGES, type ReplyLanguage } from '#messages/catalog';
import { phrasesIn } from '#messages/reply-phrases';

const languages = Object.keys(MESSAGES).filter((code): code is ReplyLanguage => isLanguage(code) && code !== 'und');
const PLACEHOLDER = /\{\w+\}/g;
/** Texts to insert, which must appear as they are. */
const inserted = fc.string({ minLength: 1 });

/** Returns every message of a language by key, plural forms included. */
function textsOf(language: ReplyLanguage): ReadonlyMap<string, string> {
  const { indexing, ...others } = MESSAGES[language];
  const forms = Object.entries(indexing).map(([form, text]) => [`indexing.${form}`, text] as const);
  return new Map([...Object.entries(others), ...forms]);
}

describe.each(languages)('the messages in %s', (language) => {
  const phrases = phrasesIn(language);

  it('are filled, with the placeholders of the English ones', () => {
    const placeholders = (text: string) => text.match(PLACEHOLDER) ?? [];
    const english = textsOf('en');
    for (const [key, text] of textsOf(language)) {
      expect([key, text.trim().length > 0, text.trim()]).toEqual([key, true, text]);
      expect([key, placeholders(text)]).toEqual([key, placeholders(english.get(key) ?? '{count}')]);
    }
  });

  it('are in this language', () => {
    const texts = [...textsOf(language).values()].map((text) => text.replaceAll(PLACEHOLDER, ''));
    expect(detectLanguage(texts.join('\n').replaceAll('Lectern', ''))).toBe(language);
  });

  it('differ from those of every other language', () => {
    const others = languages.filter((other) => other !== language);
    const taken = new Set(others.flatMap((other) => [MESSAGES[other].notFound, MESSAGES[other].noDocuments]));
    expect([phrases.notFound, phrases.noDocuments].filter((text) => taken.has(text))).toEqual([]);
  });

  it('introduce quotes with a colon', () => {
    const titled = [phrases.accordingTo('A'), phrases.mayAnswer('A'), phrases.alsoIn('A')];
    const openings = [...titled, phrases.overview, phrases.closest];
    for (const opening of [...openings, phrases.contradiction]) expect(opening).toMatch(/[:：]$/);
  });

  it('contain inserted texts as they are', () => {
    fc.assert(
      fc.property(inserted, inserted, (one, other) => {
        expect(phrases.accordingTo(one)).toContain(one);
        expect(phrases.mayAnswer(one)).toContain(one);
        expect(phrases.alsoIn(one)).toContain(one);
        expect(phrases.nothingAbout(one)).toContain(one);
        for (const text of [phrases.missing([one, other]), phrases.rephrase([one, other])]) {
          expect(text).toContain(one);
          expect(text).toContain(other);
        }
        expect(phrases.missing([one])).toContain(one);
      }),
      { numRuns: 20 },
    );
  });

  it('state any number of documents', () => {
    const numbers = new Intl.NumberFormat(language);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (count) => {
        expect(phrases.indexing(count)).toContain(numbers.format(count));
      }),
      { numRuns: 50 },
    );
  });
});

describe('phrasesIn', () => {
  it('returns English for a language without its own messages', () => {
    expect(phrasesIn('und')).toBe(phrasesIn('en'));
  });

  it('uses the plural forms of the language', () => {
    expect([1, 2].map(phrasesIn('en').indexing)).toEqual([
      '1 document is still being indexed.',
      '2 documents are still being indexed.',
    ]);
    expect([1, 3, 5, 22].map(phrasesIn('ru').indexing)).toEqual([
      '1 документ ещё индексируется.',
      '3 документа ещё индексируются.',
      '5 документов ещё индексируются.',
      '22 документа ещё индексируются.',
    ]);
  });
});
