import { describe, expect, it } from '@jest/globals';
import { analyzeQuery } from '@lectern/text';
import { createSparseEncoder } from '#sparse/sparse-encoder';
import { analyzePassage } from '#words/analyze-passage';
import { documentWords, queryWords } from '#words/word-ids';

describe('word ids', () => {
  const passage = analyzePassage({
    title: 'Leave policy',
    heading: 'Parents',
    text: 'New parents get sixteen weeks of paid leave.',
  });

  it('are unique dimensions of the sparse vector', () => {
    const words = documentWords(passage);
    const { indices } = createSparseEncoder().encodeDocument(passage);
    expect(new Set(words).size).toBe(words.length);
    expect(indices).toEqual(expect.arrayContaining([...words]));
    expect(words.length).toBeLessThan(indices.length);
  });

  it('match other forms of a word in a query, but no similar spellings', () => {
    const words = documentWords(passage);
    const meets = (query: string) => queryWords(analyzeQuery(query)).indices.some((word) => words.includes(word));
    expect(['parent', 'WEEKS', 'policies', 'nothing but leave'].map(meets)).toEqual([true, true, true, true]);
    expect(['pairents', 'leavening', 'of the', ''].map(meets)).toEqual([false, false, false, false]);
  });
});
