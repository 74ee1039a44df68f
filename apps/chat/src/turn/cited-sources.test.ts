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

const provided = [source('a', 'Leave is sixteen weeks.', 'It is paid.'), source('b', 'Laptops are encrypted.')];

describe('citedSources', () => {
  it('lists only cited documents, once each, in the order of their markers', () => {
    const sources = citedSources(
      [citation(1, 'b', 'Laptops'), citation(2, 'a', 'It is paid.', 1), citation(1, 'b', 'encrypted')],
      provided,
    );
    expect(sources).toEqual([
      { id: 'b', title: 'B', excerpt: 'Laptops are encrypted.', url: 'https://docs.example.com/b' },
      { id: 'a', title: 'A', excerpt: 'It is paid.', url: 'https://docs.example.com/a' },
    ]);
  });

  it('shows the passage if the quote is not in it', () => {
    const sources = citedSources([citation(1, 'a', 'Leave is twenty weeks.')], provided);
    expect(sources.map(({ excerpt }) => excerpt)).toEqual(['Leave is sixteen weeks.']);
  });

  it('prefers the passage of an accurate quote, without moving the source', () => {
    const sources = citedSources(
      [citation(1, 'a', 'made up'), citation(2, 'b', 'Laptops'), citation(1, 'a', 'It is paid.', 1)],
      provided,
    );
    expect(sources.map(({ id, excerpt }) => [id, excerpt])).toEqual([
      ['a', 'It is paid.'],
      ['b', 'Laptops are encrypted.'],
    ]);
  });

  it.each([0, 50, 150, 298])('shows complete words around the quote of a long passage, sentence %s', (number) => {
    const sentences = Array.from({ length: 300 }, (_, at) => `Sentence ${at} describes room ${at}.`);
    const text = sentences.join(' ');
    const quote = sentences[number] ?? '';
    const [shown] = citedSources([citation(1, 'long', quote)], [source('long', text)]);
    expect(shown?.excerpt).toContain(quote);
    expect(` ${text} `).toContain(` ${shown?.excerpt} `);
    expect(shown?.excerpt.length).toBeGreaterThan(1_500);
    expect(shown?.excerpt.length).toBeLessThanOrEqual(1_600);
  });

  it('cuts a long passage without spaces at the limit', () => {
    const [shown] = citedSources([citation(1, 'long', '')], [source('long', 'x'.repeat(5_000))]);
    expect(shown?.excerpt).toHaveLength(1_600);
  });

  it('never includes a document that the model did not get', () => {
    expect(citedSources([citation(1, 'c', 'x')], provided)).toEqual([]);
  });
});
