import { describe, expect, it } from '@jest/globals';
import { createSparseEncoder } from '#sparse/sparse-encoder';
import { documentWords, queryWords } from '#words/word-ids';

describe('the words of a passage', () => {
  const passage = { title: 'Leave policy', heading: 'Parents', text: 'New parents get sixteen weeks of paid leave.' };

  it('are among the dimensions of its sparse vector, each once', () => {
    const words = documentWords(passage);
    const { indices } = createSparseEncoder().encodeDocument(passage);
    expect(new Set(words).size).toBe(words.length);
    expect(indices).toEqual(expect.arrayContaining([...words]));
    expect(words.length).toBeLessThan(indices.length);
  });

  it('meet those of a query in other forms, and no word that is only spelt alike', () => {
    const words = documentWords(passage);
    const meets = (query: string) => queryWords(query).indices.some((word) => words.includes(word));
    expect(['parent', 'WEEKS', 'policies', 'nothing but leave'].map(meets)).toEqual([true, true, true, true]);
    expect(['pairents', 'leavening', 'of the', ''].map(meets)).toEqual([false, false, false, false]);
  });
});
