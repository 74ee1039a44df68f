import { describe, expect, it } from '@jest/globals';
import { hashTerm } from '#hash-term';
import { AVERAGE_LENGTH, B, K1 } from '#sparse/bm25';
import { createSparseEncoder } from '#sparse/sparse-encoder';
import type { SparseVector } from '#sparse/sparse-vector';

const encoder = createSparseEncoder();
const weightOf = ({ indices, values }: SparseVector, term: string) => values[indices.indexOf(hashTerm(term))];

describe('the sparse encoder', () => {
  it('weighs terms as BM25 does, without the IDF factor', () => {
    const vector = encoder.encodeDocument({ text: 'salary salary holiday' });
    const norm = K1 * (1 - B + (B * 3) / AVERAGE_LENGTH);
    expect(weightOf(vector, 'salari')).toBeCloseTo((2 * (K1 + 1)) / (2 + norm), 10);
    expect(weightOf(vector, 'holiday')).toBeCloseTo((K1 + 1) / (1 + norm), 10);
  });

  it('counts the title twice and takes in the heading', () => {
    const titled = encoder.encodeDocument({ title: 'Severance', heading: 'Benefits', text: 'pay' });
    const plain = encoder.encodeDocument({ text: 'severance severance benefits pay' });
    expect(titled).toEqual(plain);
  });

  it('keeps how often a term stands in the query', () => {
    const vector = encoder.encodeQuery('parental leave and sick leave');
    expect(weightOf(vector, 'leav')).toBe(2);
    expect(weightOf(vector, 'parent')).toBe(1);
  });

  it('gives unique unsigned 32-bit indices in ascending order', () => {
    const text = Array.from({ length: 2_000 }, (_, at) => `term${at}`).join(' ');
    const { indices, values } = encoder.encodeDocument({ text });
    expect(new Set(indices).size).toBe(indices.length);
    expect([...indices].sort((a, b) => a - b)).toEqual(indices);
    expect(indices.every((index) => Number.isInteger(index) && index >= 0 && index <= 0xffffffff)).toBe(true);
    expect(values).toHaveLength(indices.length);
    expect(values.every((value) => value > 0)).toBe(true);
  });

  it('gives an empty vector for a query of stopwords', () => {
    expect(encoder.encodeQuery('who are we')).toEqual({ indices: [], values: [] });
  });

  it('asks the detector once for each text', () => {
    const seen: string[] = [];
    const detecting = createSparseEncoder({
      detectLanguage: (text) => {
        seen.push(text);
        return 'en';
      },
    });
    detecting.encodeDocument({ title: 'T', text: 'body' });
    detecting.encodeQuery('question');
    expect(seen).toEqual(['body', 'question']);
  });
});
