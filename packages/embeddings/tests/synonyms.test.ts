import { describe, expect, it } from '@jest/globals';
import {
  type AnalyzedQuery,
  analyzeQuery,
  createSynonymIndex,
  expandQuery,
  type SynonymRule,
  synonymLayer,
} from '@lectern/text';
import fc from 'fast-check';
import { createSparseEncoder } from '#sparse/sparse-encoder';
import { analyzePassage } from '#words/analyze-passage';
import { synonymWords } from '#words/synonym-words';
import { documentWords, queryAlternatives, queryWords, wordId } from '#words/word-ids';

const sparse = createSparseEncoder();

const expand = (query: string, rules: readonly SynonymRule[]) =>
  expandQuery(analyzeQuery(query), [synonymLayer(createSynonymIndex(rules))]);

const matches = (query: AnalyzedQuery, text: string) => {
  const words = new Set(documentWords(analyzePassage({ text })));
  return queryAlternatives(query).some((alternative) =>
    typeof alternative === 'number' ? words.has(alternative) : alternative.every((id) => words.has(id)),
  );
};

const weightOf = ({ indices, values }: ReturnType<typeof queryWords>, word: string) =>
  values[indices.indexOf(wordId(word))] ?? 0;

describe('the synonyms of a query', () => {
  const rules = [{ input: [], terms: ['PTO', 'paid time off', 'vacation'] }];

  it('match a document with all words of one of them', () => {
    const query = expand('PTO', rules);
    expect(matches(query, 'Paid time off is granted.')).toBe(true);
    expect(matches(query, 'Your vacations')).toBe(true);
    expect(matches(query, 'PTO')).toBe(true);
    expect(matches(query, 'The invoice is paid.')).toBe(false);
    expect(matches(query, 'What time is it?')).toBe(false);
  });

  it('weigh less than the word itself, shared among their words', () => {
    for (const vector of [queryWords(expand('PTO', rules)), sparse.encodeQuery(expand('PTO', rules))]) {
      expect(weightOf(vector, 'pto')).toBe(1);
      expect(weightOf(vector, 'vacat')).toBe(0.5);
      expect(weightOf(vector, 'pay')).toBe(0.25);
      expect(weightOf(vector, 'time')).toBe(0.25);
    }
  });

  it('count a word once, even if several synonyms have it', () => {
    const salary = [{ input: [], terms: ['payslip', 'salary slip', 'salary statement', 'salary'] }];
    expect(weightOf(queryWords(expand('payslip', salary)), 'salari')).toBe(0.5);
  });

  it('never change the weight of a word of the query', () => {
    const query = expand('time sheet PTO', rules);
    expect(weightOf(queryWords(query), 'time')).toBe(weightOf(queryWords(analyzeQuery('time sheet PTO')), 'time'));
    expect(synonymWords(query).has(wordId('time'))).toBe(false);
  });

  it('only ever add matches, and keep all words of the query in both vectors', () => {
    const word = fc.constantFrom('pay', 'paid', 'time', 'off', 'leave', 'sick', 'sign-up', 'Urlaub', 'policy', 'IT');
    const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
    const rule = fc.record({
      input: fc.array(text, { maxLength: 2 }),
      terms: fc.array(text, { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(text, fc.array(rule, { maxLength: 5 }), text, (query, found, document) => {
        const plain = analyzeQuery(query);
        const expanded = expand(query, found);
        if (matches(plain, document)) expect(matches(expanded, document)).toBe(true);
        for (const encode of [queryWords, sparse.encodeQuery]) {
          const [before, after] = [encode(plain), encode(expanded)];
          for (const [at, index] of before.indices.entries()) {
            expect(after.values[after.indices.indexOf(index)]).toBeGreaterThanOrEqual(before.values[at] ?? 0);
          }
        }
      }),
    );
  });
});
