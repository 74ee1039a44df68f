import { describe, expect, it } from '@jest/globals';
import { hashTerm } from '#hash-term';
import { GRAM_WEIGHT } from '#sparse/bm25';
import { createSparseEncoder } from '#sparse/sparse-encoder';
import type { SparseVector } from '#sparse/sparse-vector';

const encoder = createSparseEncoder();
const weightOf = ({ indices, values }: SparseVector, term: string, seed = 0) =>
  values[indices.indexOf(hashTerm(term, seed))];

const dot = (a: SparseVector, b: SparseVector) =>
  a.indices.reduce((sum, index, at) => sum + a.values[at]! * (b.values[b.indices.indexOf(index)] ?? 0), 0);

describe('the sparse encoder', () => {
  it('weighs terms as BM25 does with k1 1.5, b .75 and an average of 150 words, without the IDF factor', () => {
    const vector = encoder.encodeDocument({ text: 'salary salary holiday' });
    const norm = 1.5 * (1 - 0.75 + (0.75 * 3) / 150);
    expect(weightOf(vector, 'salari')).toBeCloseTo((2 * 2.5) / (2 + norm), 3);
    expect(weightOf(vector, 'holiday')).toBeCloseTo(2.5 / (1 + norm), 3);
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

  it('finds a misspelt word by its 4-grams, far behind the word itself', () => {
    const document = encoder.encodeDocument({ text: 'holiday allowance' });
    const misspelt = dot(encoder.encodeQuery('holliday'), document);
    expect(misspelt).toBeGreaterThan(0);
    expect(misspelt).toBeLessThan(dot(encoder.encodeQuery('holiday'), document) / 2);
    expect(weightOf(encoder.encodeQuery('pay'), '_pay', 1)).toBe(GRAM_WEIGHT);
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
