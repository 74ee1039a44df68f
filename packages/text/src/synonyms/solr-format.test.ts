import { describe, expect, it } from '@jest/globals';
import { timeLimit } from '@lectern/testing';
import fc from 'fast-check';
import { formatSolrSynonyms, parseSolrSynonyms } from '#synonyms/solr-format';
import { normalizeRule, problemOfRule, type SynonymRule } from '#synonyms/synonym-rule';

const rulesOf = (text: string) => parseSolrSynonyms(text).lines.map(({ rule }) => rule);

describe('parseSolrSynonyms', () => {
  it('reads two-way and one-way rules, and ignores comments and empty lines', () => {
    const text = '\uFEFF# Leave\r\nPTO,  paid time\toff , vacation\n\n laptop, notebook=>MacBook\n# end';
    expect(parseSolrSynonyms(text)).toEqual({
      lines: [
        { line: 2, rule: { input: [], terms: ['PTO', 'paid time off', 'vacation'] } },
        { line: 4, rule: { input: ['laptop', 'notebook'], terms: ['MacBook'] } },
      ],
      problems: [],
    });
  });

  it('reads characters after a backslash literally', () => {
    expect(rulesOf(String.raw`a\, b, c \=> d, \# e`)).toEqual([{ input: [], terms: ['a, b', 'c => d', '# e'] }]);
  });

  it('drops replacements that are the input itself, as other engines write them', () => {
    expect(rulesOf('pto => pto, leave')).toEqual([{ input: ['pto'], terms: ['leave'] }]);
  });

  it.each([
    ['alone', 'must have at least 2 different terms'],
    ['a => b => c', 'must have at most one =>'],
    ['=> b', 'must have a term before =>'],
    ['a =>', 'must have at least 1 term that is not in the input'],
    ['a, –', '"–" must contain a letter, a digit or an emoji'],
  ])('reports the line of %j', (line, message) => {
    expect(parseSolrSynonyms(`a, b\n${line}`).problems).toEqual([{ line: 2, message }]);
  });

  it('reads what formatSolrSynonyms writes', () => {
    const term = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.stringMatching(/^[a-c,=>\\# ]{1,8}$/),
      fc.constantFrom('PTO', 'paid time off', 'C++', '#1 a', '=>x', 'x,', '\\y'),
    );
    const rule = fc
      .record({ input: fc.array(term, { maxLength: 3 }), terms: fc.array(term, { minLength: 1, maxLength: 5 }) })
      .map(normalizeRule)
      .filter((candidate) => problemOfRule(candidate) === undefined);
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 8 }), (rules: readonly SynonymRule[]) => {
        const parsed = parseSolrSynonyms(formatSolrSynonyms(rules));
        expect(parsed.problems).toEqual([]);
        expect(parsed.lines.map(({ rule: read }) => read)).toEqual(rules);
      }),
    );
  });

  it('needs time proportional to the length of the text', () => {
    const started = performance.now();
    for (const part of [',', '\\', '=', '=>', 'a,', '\n']) parseSolrSynonyms(part.repeat(100_000));
    expect(performance.now() - started).toBeLessThan(timeLimit(2_000));
  });
});
