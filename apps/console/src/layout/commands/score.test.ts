import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { scoreOf } from '#layout/commands/score.ts';

const PAGES = [
  ['Search', 'find'],
  ['Search rules', 'pin', 'hide'],
  ['Search insights', 'analytics'],
  ['Keys', 'API keys'],
];

const ranked = (typed: string): string[] =>
  PAGES.map(([label = '', ...others]) => ({ label, score: scoreOf(typed, [label, ...others]) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ label }) => label);

describe('scoreOf', () => {
  it('prefers the exact name, then its start, then its words, then other names', () => {
    expect(ranked('search')).toEqual(['Search', 'Search rules', 'Search insights']);
    expect(ranked('insights sea')).toEqual(['Search insights']);
    expect(ranked('PIN')).toEqual(['Search rules']);
    expect(ranked('api')).toEqual(['Keys']);
    expect(ranked('earch')).toEqual([]);
  });

  it('ignores case and accents, and finds each name by its own start', () => {
    expect(scoreOf('muller', ['Müller & Söhne'])).toBe(0.9);
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(name, fc.nat(8), (label, length) => {
        const start = [...label.trimStart()].slice(0, length + 1).join('');
        expect(scoreOf(start, [label.trimStart()])).toBeGreaterThan(0);
      }),
    );
  });

  it('never leaves the range from 0 to 1', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (typed, names) => {
        const score = scoreOf(typed, names);
        expect(score >= 0 && score <= 1).toBe(true);
      }),
    );
  });
});
