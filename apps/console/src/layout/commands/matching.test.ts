import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CommandEntry, matching } from '#layout/commands/matching.ts';

const entry = (label: string, ...words: string[]): CommandEntry => ({ to: `/${label}`, label, icon: 'search', words });

const GROUPS = [
  {
    heading: 'Pages',
    entries: [entry('Search rules', 'pin', 'hide'), entry('Search', 'find'), entry('Keys', 'API keys')],
  },
  { heading: 'Records', entries: [entry('Pinnacle'), entry('Müller & Söhne')] },
];

const labelsOf = (typed: string) => matching(typed, GROUPS).flatMap(({ entries }) => entries.map(({ label }) => label));

describe('matching', () => {
  it('prefers the exact name, then its start, then its words, then other words', () => {
    expect(labelsOf('search')).toEqual(['Search', 'Search rules']);
    expect(labelsOf('rules sea')).toEqual(['Search rules']);
    expect(labelsOf('PIN')).toEqual(['Pinnacle', 'Search rules']);
    expect(labelsOf('api')).toEqual(['Keys']);
    expect(labelsOf('muller')).toEqual(['Müller & Söhne']);
    expect(labelsOf('earch')).toEqual([]);
  });

  it('returns everything in order without a text', () => {
    expect(matching('', GROUPS).map(({ heading, entries }) => [heading, entries.length])).toEqual([
      ['Pages', 3],
      ['Records', 2],
    ]);
  });

  it('finds each name by its own start, without case and accents', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(name, fc.nat(8), (label, length) => {
        const start = [...label.trimStart()].slice(0, length + 1).join('');
        const [group] = matching(start.toUpperCase(), [{ heading: 'All', entries: [entry(label)] }]);
        const [same] = matching(start, [{ heading: 'All', entries: [entry(label)] }]);
        expect(same?.entries).toHaveLength(1);
        if (start.toUpperCase().toLowerCase() === start.toLowerCase()) expect(group?.entries).toHaveLength(1);
      }),
    );
  });
});
