import { describe, expect, it } from '@jest/globals';
import { analyzeQuery } from '#analysis/analyze-query';
import { importanceOf } from '#analysis/light-words';

/** Returns the words of a query with less importance than others. */
function lightWords(text: string): string[] {
  const query = analyzeQuery(text, { languages: ['en', 'de'] });
  const light = query.terms.filter((term) => importanceOf(query, term) < 1);
  return [...new Set(light.map(({ start, end }) => text.slice(start, end)))];
}

describe('importanceOf', () => {
  it.each([
    ['what happens if I get a puncture', ['happens', 'get']],
    ['Can somebody show me the canteen?', ['somebody', 'show']],
    ['was passiert, wenn ich einen Platten bekomme', ['passiert', 'bekomme']],
    ['Wo bekommt man den Schlüssel für das Lager?', ['bekommt']],
    ['puncture repair', []],
  ])('is less for the words of general meaning in: %s', (text, expected) => {
    expect(lightWords(text)).toEqual(expected);
  });

  it('is the same for all words of a long text', () => {
    const words = 'puncture wheel bicycle canteen locker parcel invoice contract '.repeat(3);
    expect(lightWords(`what happens if I get a ${words}`)).toEqual([]);
  });
});
