import { describe, expect, it } from '@jest/globals';
import type { CitationEvent, SourceDocument } from '@lectern/grounding';
import { citedSources } from '#turn/cited-sources';

const source = (id: string, ...texts: string[]): SourceDocument => ({
  id,
  title: id.toUpperCase(),
  url: `https://docs.example.com/${id}`,
  passages: texts.map((text) => ({ text, start: 0, end: text.length })),
});
const citation = (marker: number, sourceId: string, quote: string, passageIndex = 0): CitationEvent => ({
  type: 'citation',
  marker,
  sourceId,
  passageIndex,
  quote,
  textStart: 0,
  textEnd: 1,
});

const given = [source('a', 'Leave is sixteen weeks.', 'It is paid.'), source('b', 'Laptops are encrypted.')];

describe('the sources of a reply', () => {
  it('are the cited documents alone, once each, in the order of their markers', () => {
    const sources = citedSources(
      [citation(1, 'b', 'Laptops'), citation(2, 'a', 'It is paid.', 1), citation(1, 'b', 'encrypted')],
      given,
    );
    expect(sources).toEqual([
      { id: 'b', title: 'B', excerpt: 'Laptops are encrypted.', url: 'https://docs.example.com/b' },
      { id: 'a', title: 'A', excerpt: 'It is paid.', url: 'https://docs.example.com/a' },
    ]);
  });

  it('show what the passage says where a quote does not stand in its passage', () => {
    const sources = citedSources([citation(1, 'a', 'Leave is twenty weeks.')], given);
    expect(sources.map(({ excerpt }) => excerpt)).toEqual(['Leave is sixteen weeks.']);
  });

  it('prefer the passage of a true quote, without moving the source', () => {
    const sources = citedSources(
      [citation(1, 'a', 'made up'), citation(2, 'b', 'Laptops'), citation(1, 'a', 'It is paid.', 1)],
      given,
    );
    expect(sources.map(({ id, excerpt }) => [id, excerpt])).toEqual([
      ['a', 'It is paid.'],
      ['b', 'Laptops are encrypted.'],
    ]);
  });

  it.each([0, 50, 150, 298])('show of a long passage whole words around the quote, sentence %s', (number) => {
    const sentences = Array.from({ length: 300 }, (_, at) => `Sentence ${at} tells of room ${at}.`);
    const text = sentences.join(' ');
    const quote = sentences[number] ?? '';
    const [shown] = citedSources([citation(1, 'long', quote)], [source('long', text)]);
    expect(shown?.excerpt).toContain(quote);
    expect(` ${text} `).toContain(` ${shown?.excerpt} `);
    expect(shown?.excerpt.length).toBeGreaterThan(1_500);
    expect(shown?.excerpt.length).toBeLessThanOrEqual(1_600);
  });

  it('cut a long passage without words at its bound', () => {
    const [shown] = citedSources([citation(1, 'long', '')], [source('long', 'x'.repeat(5_000))]);
    expect(shown?.excerpt).toHaveLength(1_600);
  });

  it('never include a document that the model was not given', () => {
    expect(citedSources([citation(1, 'c', 'x')], given)).toEqual([]);
  });
});
