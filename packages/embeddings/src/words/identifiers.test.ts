import { describe, expect, it } from '@jest/globals';
import { analyzeQuery, extractTerms } from '@lectern/text';
import fc from 'fast-check';
import { analyzePassage } from '#analyze-passage';
import { documentWords, queryWords } from '#words/word-ids';

const wordsOf = (text: string) => new Set(documentWords(analyzePassage({ text })));
const finds = (query: string, text: string) => {
  const words = wordsOf(text);
  return queryWords(analyzeQuery(query)).indices.some((id) => words.has(id));
};
/**
 * Returns whether a text has every word of a query, which ranks it before texts with parts of it.
 */
const findsWhole = (query: string, text: string) => {
  const words = wordsOf(text);
  return (
    extractTerms(query, 'en').length > 0 && documentWords(analyzePassage({ text: query })).every((id) => words.has(id))
  );
};

describe('versions', () => {
  it.each([
    ['1.2.3', 'v1.2.3'],
    ['v1.2.3', '1.2.3'],
    ['V1.2.3', 'lectern v1.2.3 is out'],
    ['2.3.1-rc.1', 'v2.3.1-rc.1'],
    ['v2.3.1-rc.1', '2.3.1-rc.1'],
    ['2.3.1', 'v2.3.1-rc.1'],
    ['18.2.0', 'react@18.2.0'],
    ['1.2.3', 'lectern-1.2.3.tar.gz'],
  ])('%s finds %s', (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  it('do not match each other', () => {
    expect(finds('1.2.3', 'v1.2.4')).toBe(false);
    expect(finds('1.2.3', '123')).toBe(false);
    expect(finds('123', 'v1.2.3-4')).toBe(false);
    expect(finds('v2.3.4', 'v2.3.1')).toBe(false);
    expect(finds('v2', 'v2.3.1')).toBe(true);
  });
});

describe('identifiers', () => {
  it.each([
    ['AB-12/34', 'part AB-12/34 of'],
    ['AB-12', 'AB-12/34'],
    ['AB1234', 'AB-12/34'],
    ['INV/2024/001', 'INV/2024/001'],
    ['24/7', 'open 24/7'],
    ['getUserById', 'call getUserById(7)'],
    ['getuserbyid', 'call getUserById(7)'],
    ['user', 'call getUserById(7)'],
    ['server', 'new HTTPServer()'],
    ['user@example.com', 'mail user@example.com today'],
    ['example', 'user@example.com'],
    ['ERR-1234', 'ERR-1234'],
    ['1234', 'ERR-1234'],
  ])('%s finds %s', (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  it('are not found by the parts of another identifier', () => {
    expect(finds('getUserById', 'the user')).toBe(false);
    expect(finds('24/7', '247')).toBe(false);
  });

  it('are found as written in a text of any language', () => {
    const letters = fc.stringMatching(/^[A-Z]{1,5}$|^[a-z]{1,8}$|^[A-Z][a-z]{1,7}$/);
    const digits = fc.stringMatching(/^[0-9]{1,6}$/);
    const part = fc.oneof(letters, digits);
    const joined = fc
      .tuple(part, fc.array(fc.tuple(fc.constantFrom('-', '_', '.', '/', '@'), part), { maxLength: 4 }))
      .map(([first, more]) => first + more.flat().join(''));
    const version = fc
      .tuple(
        fc.constantFrom('', 'v', 'V'),
        fc.array(digits, { minLength: 2, maxLength: 4 }),
        fc.constantFrom('', '-rc.1'),
      )
      .map(([mark, numbers, tag]) => mark + numbers.join('.') + tag);
    const camel = fc
      .array(fc.stringMatching(/^[A-Z][a-z]{1,7}$|^[A-Z]{2,4}$/), { minLength: 2, maxLength: 4 })
      .chain((words) =>
        fc.constantFrom(
          words.join(''),
          words.join('').replace(/^[A-Z]+/, (start) => start.toLowerCase()),
        ),
      );
    const email = fc.tuple(letters, letters, letters).map(([name, host, top]) => `${name}@${host}.${top}`);
    const around = fc.constantFrom(
      ['The value of ', ' is in the table.'],
      ['Der Wert von ', ' steht in der Tabelle.'],
      ['La valeur de ', ' est dans le tableau.'],
      ['Значение ', ' указано в таблице.'],
      ['値は', 'です。'],
    );
    // Plain words are left out, because they can be stopwords or have other forms.
    const isIdentifier = (text: string) => /[0-9]/.test(text) || /[a-z][A-Z]/.test(text) || /[-_./@]/.test(text);
    fc.assert(
      fc.property(
        fc.oneof(joined, version, camel, email).filter(isIdentifier),
        around,
        (id, [before = '', after = '']) => {
          expect(finds(id, before + id + after)).toBe(true);
        },
      ),
      { numRuns: 500, seed: 5 },
    );
  });
});

describe('emoji', () => {
  it.each(['🎉', '👍🏽', '👩🏽‍💻', '👨‍👩‍👧‍👦', '🏳️‍🌈', '🇩🇪', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '❤️', '1️⃣', '#️⃣', 'ℹ️', '©️', '㊗️', '🧑🏻‍❤️‍💋‍🧑🏼'])(
    '%s is one term',
    (emoji) => {
      expect(extractTerms(`wow ${emoji}${emoji}!`, 'en')).toHaveLength(3);
      expect(findsWhole(emoji, `Released ${emoji} today`)).toBe(true);
      expect(finds(emoji, 'Released today')).toBe(false);
    },
  );

  it('ignores variation selectors', () => {
    expect(finds('❤', 'I ❤️ it')).toBe(true);
    expect(finds('❤️', 'I ❤ it')).toBe(true);
    expect(finds('🏳️‍🌈', '🏳‍🌈')).toBe(true);
  });

  it('is found without its skin tone, but not with another one', () => {
    expect(finds('👍', 'fine 👍🏽')).toBe(true);
    expect(finds('👍🏿', 'fine 👍🏽')).toBe(false);
    expect(finds('🇩🇪', '🇫🇷')).toBe(false);
    expect(finds('👩‍💻', '👨‍💻')).toBe(false);
  });
});
