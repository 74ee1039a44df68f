import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { WORDS } from '#analysis/detect-language';
import { visitWords } from '#analysis/plain-words';
import { TOKEN } from '#analysis/scan-tokens';

type Word = readonly [word: string, start: number, end: number];

function visited(text: string, pattern: RegExp): Word[] {
  const words: Word[] = [];
  visitWords(text, pattern, (...word) => words.push(word));
  return words;
}

function matched(text: string, pattern: RegExp): Word[] {
  const matches = text.matchAll(new RegExp(pattern));
  return Array.from(matches, (match) => [match[0], match.index, match.index + match[0].length]);
}

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[A-Za-z]{1,6}$/) },
  { weight: 2, arbitrary: fc.constantFrom(' ', ' ', '. ', ', ', '\n', '\t', ' (', ') ', '; ', ' "', '" ') },
  { weight: 2, arbitrary: fc.stringMatching(/^[0-9]{1,4}$/) },
  { weight: 2, arbitrary: fc.constantFrom(...".,'’-‑_@/&:+#*%$€£µ²½~^`=<>|\\…“”–—\u00A0\u2009\u202F\u00AD") },
  {
    weight: 1,
    arbitrary: fc.constantFrom('USD', 'GB', 'km/h', 'C++', 'C#', '.NET', 'v2', 'é', 'ß', 'Å', 'e\u0301', 'Ǆ', 'ɐ'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('1️⃣', '#️⃣', '*️⃣', '©', '®️', '🎉', '👩🏽‍💻', '🇩🇪', '‼', 'ℹ️', '\uFE0F', '\u20E3'),
  },
  { weight: 1, arbitrary: fc.constantFrom('東京', 'ひらがな', '휴가', 'отпуск', 'άδεια', 'छुट्टी', 'ชา', '\uD83D') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
);

describe('visitWords', () => {
  it.each([
    ['tokens', TOKEN],
    ['words that are evidence of a language', WORDS],
  ])('finds the same %s as the pattern alone', (_name, pattern) => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join('');
        expect(visited(text, pattern)).toEqual(matched(text, pattern));
      }),
      { numRuns: 5_000 },
    );
  });
});
