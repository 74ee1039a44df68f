import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { scanTokens, TOKEN } from '#analysis/scan-tokens';

type Token = readonly [token: string, start: number, end: number];

function scanned(text: string): Token[] {
  const tokens: Token[] = [];
  scanTokens(text, (...token) => tokens.push(token));
  return tokens;
}

function matched(text: string): Token[] {
  return Array.from(text.matchAll(new RegExp(TOKEN)), (match) => [
    match[0],
    match.index,
    match.index + match[0].length,
  ]);
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

describe('scanTokens', () => {
  it('finds the same tokens as the pattern alone', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join('');
        expect(scanned(text)).toEqual(matched(text));
      }),
      { numRuns: 5_000 },
    );
  });
});
