import { describe, expect, it } from '@jest/globals';
import { analyzeQuery } from '@lectern/text';
import fc from 'fast-check';
import { hashTerm } from '#hash-term';
import { storedWeight } from '#sparse/bm25';
import { DocumentEncoder, documentQuery } from '#sparse/document-encoder';
import { analyzePassage, type PassageText } from '#words/analyze-passage';
import { pairDimension } from '#words/pair-dimension';
import type { SparseVector } from '#words/sparse-vector';

const encode = (passages: readonly PassageText[]) => {
  const encoder = new DocumentEncoder();
  for (const passage of passages) encoder.add(analyzePassage(passage));
  return encoder.words();
};
const weightOf = ({ indices, values }: SparseVector, dimension: number) => values[indices.indexOf(dimension)] ?? 0;
const word = (term: string) => hashTerm(term, 0);
const pair = (first: string, second: string) => pairDimension(word(first), word(second));
const bm25 = (frequency: number, length: number) =>
  (frequency * 1.8) / (frequency + 0.8 * (0.25 + 0.75 * Math.sqrt(length / 150)));

describe('the words of a document', () => {
  it('are counted over all passages, the title twice and each heading once', () => {
    const { vector } = encode([
      { title: 'Leave', heading: 'Parents', text: 'salary holiday' },
      { title: 'Leave', heading: 'Parents', text: 'salary' },
    ]);
    // leave ×2, parent ×1, salari ×2, holiday ×1
    expect(weightOf(vector, word('leav'))).toBe(storedWeight(bm25(2, 6)));
    expect(weightOf(vector, word('parent'))).toBe(storedWeight(bm25(1, 6)));
    expect(weightOf(vector, word('salari'))).toBe(storedWeight(bm25(2, 6)));
    expect(weightOf(vector, word('holiday'))).toBe(storedWeight(bm25(1, 6)));
  });

  it('include pairs of adjacent words in their order, also across stopwords', () => {
    const { vector } = encode([{ text: 'holiday of the company. Salary holiday.' }]);
    expect(weightOf(vector, pair('holiday', 'compani'))).toBe(storedWeight(bm25(1, 3)));
    expect(weightOf(vector, pair('salari', 'holiday'))).toBeGreaterThan(0);
    expect(weightOf(vector, pair('holiday', 'salari'))).toBe(0);
  });

  it('have the same ids as the words of its passages', () => {
    const passages = [
      { title: 'Leave policy', text: 'Sixteen weeks of leave.' },
      { title: 'Leave policy', text: 'ERR-1234' },
    ];
    const { ids } = encode(passages);
    expect(ids).toEqual([...new Set(ids)]);
    expect(ids).toEqual(expect.arrayContaining([word('leav'), word('polici'), word('week')]));
  });

  it('of a long document are limited to the most frequent ones, pairs first left out', () => {
    const distinct = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => `x${from + at}y`).join(' ');
    const common = Array.from({ length: 100 }, () => 'holiday salary').join(' ');
    const some = encode([{ text: `${distinct(0, 30_000)} ${common}` }]);
    expect(some.vector.indices).toHaveLength(50_000);
    const kept = new Set(some.vector.indices);
    expect(some.ids.every((id) => kept.has(id))).toBe(true);
    expect(weightOf(some.vector, pair('holiday', 'salari'))).toBeGreaterThan(0);

    const passages = [0, 1, 2].map((at) => ({ text: distinct(at * 20_000, 20_000) }));
    const all = encode([...passages, { text: common }]);
    expect(all.ids).toHaveLength(60_002);
    expect(all.vector.indices).toHaveLength(50_000);
    const ids = new Set(all.ids);
    expect(all.vector.indices.every((index) => ids.has(index))).toBe(true);
    expect(weightOf(all.vector, word('holiday'))).toBeGreaterThan(0);
    expect(encode([{ text: common }, ...passages.toReversed()]).vector.indices).toEqual(all.vector.indices);
  });

  it('do not depend on the order of the passages', () => {
    const text = fc.array(fc.constantFrom('salary', 'holiday', 'laptop', 'the', 'Urlaub', '5 GB'), { maxLength: 8 });
    const passage = fc.record({ heading: text, text }).map(({ heading, text }) => ({
      title: 'Handbook of leave',
      heading: heading.join(' '),
      text: text.join(' '),
    }));
    fc.assert(
      fc.property(fc.array(passage, { maxLength: 5 }), (passages) => {
        expect(encode([...passages].reverse()).vector).toEqual(encode(passages).vector);
      }),
    );
  });
});

describe('a query for whole documents', () => {
  it('has its words, and its pairs with less weight', () => {
    const query = documentQuery(analyzeQuery('the salary of the holiday laptop'));
    expect(weightOf(query, word('salari'))).toBe(1);
    expect(weightOf(query, pair('salari', 'holiday'))).toBe(0.3);
    expect(weightOf(query, pair('holiday', 'laptop'))).toBe(0.3);
    expect(query.indices).toEqual([...query.indices].sort((a, b) => a - b));
  });

  it('is empty without terms', () => {
    expect(documentQuery(analyzeQuery('')).indices).toEqual([]);
  });
});
