import { describe, expect, it } from '@jest/globals';
import { extractTerms } from '#analysis/analyze';
import { analyzeQuery } from '#analysis/analyze-query';
import { LANGUAGES, type Language } from '#analysis/languages';

function read(query: string) {
  const { language, terms } = analyzeQuery(query);
  return { language, terms, names: terms.map(({ term }) => term) };
}

describe('analyzeQuery', () => {
  it('returns the terms of every language that a single word may be in', () => {
    const { names } = read('Kundigungen');
    for (const language of ['en', 'de', 'nl', 'sv'] satisfies Language[]) {
      expect(names).toEqual(expect.arrayContaining(extractTerms('Kundigungen', language)));
    }
  });

  it('returns only terms of its language and English if the language is clear', () => {
    const { language, names } = read('Wie hoch ist die Erstattung für Fortbildungen?');
    expect(language).toBe('de');
    const allowed = new Set([
      ...extractTerms('hoch Erstattung Fortbildungen', 'de'),
      ...extractTerms('hoch Erstattung Fortbildungen', 'en'),
    ]);
    expect(names.filter((name) => !allowed.has(name))).toEqual([]);
  });

  it('returns a term once per token, with its offsets', () => {
    const { names, terms } = read('leave and leave');
    expect(names.filter((name) => name === 'leav')).toHaveLength(2);
    expect(terms.filter(({ term }) => term === 'leav').map(({ start, end }) => [start, end])).toEqual([
      [0, 5],
      [10, 15],
    ]);
    expect(new Set(terms.map(({ term, start }) => `${start} ${term}`)).size).toBe(terms.length);
  });

  it('removes the stopwords of the likeliest language', () => {
    expect(read('Wer war der Erste in der Firma?').names).not.toContain('war');
  });

  it('shares a term with a passage of each language, for any detected language of that passage', () => {
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      expect(read('Protokoll').names).toEqual(expect.arrayContaining(extractTerms('Protokoll', language)));
    }
  });
});

describe('a long query', () => {
  it('is analyzed in other languages only for its first words', () => {
    const words = Array.from(
      { length: 400 },
      (_, at) => `b${'ace'.repeat(1 + (at % 3))}${String.fromCharCode(97 + (at % 26))}ly`,
    );
    const alternatives = analyzeQuery(words.join(' ')).terms.filter(({ weight }) => weight < 1);
    const ends = alternatives.map(({ end }) => end);
    expect(ends.length).toBeGreaterThan(0);
    expect(Math.max(...ends)).toBeLessThan(words.slice(0, 33).join(' ').length);
    const parts = analyzeQuery('ab.cd-'.repeat(300)).terms;
    expect(parts.filter(({ weight }) => weight < 1)).toEqual([]);
    expect(parts.length).toBeGreaterThan(500);
  });
});
