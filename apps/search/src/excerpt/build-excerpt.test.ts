import { describe, expect, it } from '@jest/globals';
import { analyzeQuery } from '@lectern/text';
import { buildExcerpt } from '#excerpt/build-excerpt';
import { queryTerms } from '#excerpt/matches';

const excerptOf = (text: string, query: string) => buildExcerpt({ text }, queryTerms(analyzeQuery(query)));
const marked = ({ text, highlights }: ReturnType<typeof excerptOf>) =>
  highlights.map(({ start, end }) => text.slice(start, end));

const filler = 'Nothing of note is in this sentence, which is only here to take up room. '.repeat(8);

describe('buildExcerpt', () => {
  it('returns a short passage completely, trimmed', () => {
    expect(excerptOf('\n  Parental leave is sixteen weeks.\n', 'leave').text).toBe('Parental leave is sixteen weeks.');
  });

  it('returns the part of a long passage with the most query terms, as whole sentences', () => {
    const answer = 'New parents get sixteen weeks of paid leave. It can be split in two.';
    const { text } = excerptOf(
      `${filler}Leave the keys at the desk. ${filler}${answer} ${filler}`,
      'paid leave for parents',
    );
    expect(text.startsWith(answer)).toBe(true);
    expect(text.endsWith('.')).toBe(true);
    expect(text.length).toBeLessThanOrEqual(320);
  });

  it('highlights every form of a term, by offsets in the excerpt', () => {
    expect(
      marked(excerptOf(`${filler}Employees are managing devices; a managed device is safe.`, 'manage a device')),
    ).toEqual(['managing', 'devices', 'managed', 'device']);
  });

  it('returns verbatim text and never splits a character', () => {
    const passage = '🦊'.repeat(400);
    const { text } = excerptOf(passage, 'fox');
    expect(passage).toContain(text);
    expect(text.isWellFormed()).toBe(true);
  });

  it('starts near the match if the sentence is longer than an excerpt', () => {
    const { text, highlights } = excerptOf(`${'word '.repeat(200)}vacation ${'word '.repeat(200)}`, 'vacation');
    expect(text).toContain('vacation');
    expect(text.startsWith('word')).toBe(true);
    expect(highlights).toHaveLength(1);
  });

  it('returns the beginning of a passage without matches', () => {
    const excerpt = excerptOf(filler, 'zebra');
    expect(filler.startsWith(excerpt.text)).toBe(true);
    expect(excerpt.highlights).toEqual([]);
  });

  it('highlights words in scripts without spaces', () => {
    expect(marked(excerptOf('公司提供产假和陪产假。', '产假'))).toEqual(['产假', '产假']);
  });
});
