import { describe, expect, it } from '@jest/globals';
import { wordId } from '@lectern/embeddings';
import { analyzeQuery } from '@lectern/text';
import { bestScore, queryParts, termScoresOf } from '#search/relevance';

/** Returns the best score of a query if its terms have these scores in the index. */
function bestScoreOf(query: string, scores: Readonly<Record<string, number>>) {
  const parts = queryParts(analyzeQuery(query, { languages: ['en'] }), {});
  const byId = new Map(Object.entries(scores).map(([term, score]) => [wordId(term), score]));
  const strongest = parts.ids.map((id) => byId.get(id) ?? 0);
  return bestScore(parts, termScoresOf(parts, strongest));
}

describe('the best score of a query', () => {
  it('adds up the best scores of its words and counts the unknown ones', () => {
    expect(bestScoreOf('bicycle repair canteen', { bicycl: 6, repair: 4 })).toEqual({ known: 10, unknownWords: 1 });
  });

  it('weights words of general meaning like the keyword score does', () => {
    const { known, unknownWords } = bestScoreOf('who gets a bicycle', { get: 5, bicycl: 6 });
    expect(known).toBeCloseTo(6 + 0.4 * 5, 10);
    expect(unknownWords).toBe(0);
    expect(bestScoreOf('what happens to a bicycle', { bicycl: 6 })).toEqual({ known: 6, unknownWords: 0.4 });
  });

  it('looks up fewer words, the more readers and collections each lookup names', () => {
    const query = analyzeQuery('bicycle repair canteen holiday', { languages: ['en'] });
    const names = (count: number) => Array.from({ length: count }, (_, at) => `name_${at}`);
    const lookups = (readers: number, collections: number) =>
      queryParts(query, { principals: names(readers), collections: names(collections) }).ids.length;
    expect(lookups(1, 1)).toBe(4);
    expect(lookups(20_000, 0)).toBe(2);
    expect(lookups(0, 20_000)).toBe(2);
    expect(lookups(10_000, 10_000)).toBe(2);
  });
});
