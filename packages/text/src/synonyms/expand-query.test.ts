import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { analyzeQuery } from '#analysis/analyze-query';
import type { Language } from '#analysis/languages';
import { expandQuery, synonymLayer } from '#synonyms/expand-query';
import { parseSolrSynonyms } from '#synonyms/solr-format';
import { createSynonymIndex } from '#synonyms/synonym-index';
import type { SynonymRule } from '#synonyms/synonym-rule';

const layerOf = (text: string, language?: Language) =>
  synonymLayer(createSynonymIndex(parseSolrSynonyms(text).lines.map(({ rule }) => rule)), undefined, language);

const expand = (query: string, rules: string, options: Parameters<typeof expandQuery>[2] = {}) =>
  expandQuery(analyzeQuery(query), [layerOf(rules)], options);

/** The synonyms of a query as `from > to`. */
const synonyms = (query: string, rules: string, options: Parameters<typeof expandQuery>[2] = {}) => [
  ...new Set((expand(query, rules, options).expansions ?? []).map(({ synonym: { from, to } }) => `${from} > ${to}`)),
];

describe('expandQuery', () => {
  it('finds each term of a two-way rule by the others', () => {
    const rules = 'PTO, paid time off, vacation';
    expect(synonyms('how do I request pto', rules)).toEqual(['pto > paid time off', 'pto > vacation']);
    expect(synonyms('my vacation', rules)).toEqual(['vacation > PTO', 'vacation > paid time off']);
  });

  it('finds the terms of a one-way rule by its input only', () => {
    const rules = 'laptop, notebook => MacBook';
    expect(synonyms('new laptop', rules)).toEqual(['laptop > MacBook']);
    expect(synonyms('new notebook', rules)).toEqual(['notebook > MacBook']);
    expect(synonyms('new MacBook', rules)).toEqual([]);
  });

  it('ignores inflection, case and hyphens', () => {
    expect(synonyms('Vacations', 'vacation, leave')).toEqual(['Vacations > leave']);
    expect(synonyms('take home pay', 'take-home pay, net salary')).toEqual(['take home pay > net salary']);
    expect(synonyms('Home-Office-Tage', 'Home Office, mobiles Arbeiten')).toEqual(['Home-Office > mobiles Arbeiten']);
  });

  it('matches several words with the stopwords among them, and the longest term only', () => {
    const rules = 'time off, leave\ntime, hour\nout of office, away';
    expect(synonyms('time off policy', rules)).toEqual(['time off > leave']);
    expect(synonyms('time sheet', rules)).toEqual(['time > hour']);
    expect(synonyms('out of office message', rules)).toEqual(['out of office > away']);
    expect(synonyms('out office', rules)).toEqual([]);
  });

  it('distinguishes an abbreviation from a stopword by its case', () => {
    const rules = 'IT, information technology\nIT support, help desk';
    expect(synonyms('IT budget', rules)).toEqual(['IT > information technology']);
    expect(synonyms('is it open', rules)).toEqual([]);
    expect(synonyms('it support', rules)).toEqual(['it support > help desk']);
    expect(synonyms('WHEN IS IT OPEN', rules)).toEqual([]);
  });

  it('finds an abbreviation that is a stopword in lower case', () => {
    const [expansion] = expand('information technology', 'IT, information technology').expansions ?? [];
    expect(expansion?.terms).toEqual(['IT']);
  });

  it('distinguishes words that only share a stem', () => {
    expect(synonyms('pay', 'PAYE, wage tax')).toEqual([]);
    expect(synonyms('PAYE', 'PAYE, wage tax')).toEqual(['PAYE > wage tax']);
    expect(synonyms('two PTOs', 'PTO, vacation')).toEqual(['PTOs > vacation']);
    expect(synonyms('install', 'installment, rate')).toEqual([]);
    expect(synonyms('the author', 'authorize, permit')).toEqual([]);
    expect(synonyms('authorized', 'authorize, permit')).toEqual(['authorized > permit']);
    expect(synonyms('wage tax', 'PAYE, wage tax')).toEqual([]);
  });

  it('adds no synonym of which only a common word remains', () => {
    expect(synonyms('PTO', 'PTO, time off')).toEqual([]);
    expect(synonyms('PTO', 'PTO, paid time off')).toEqual(['PTO > paid time off']);
  });

  it('needs all content words of a synonym', () => {
    const [expansion] = expand('PTO', 'PTO, paid time off').expansions ?? [];
    expect(expansion?.terms).toEqual(['pay', 'time']);
    expect(expansion?.weight).toBeLessThan(1);
  });

  it('adds no synonym whose words the query has', () => {
    expect(synonyms('paid time off PTO', 'PTO, paid time off')).toEqual([]);
  });

  it('leaves words that are searched as written', () => {
    const rules = 'time off, leave\nstaff, employee';
    const query = 'time off for staff';
    expect(synonyms(query, rules, { verbatim: [{ start: 0, end: 8 }] })).toEqual(['staff > employee']);
    expect(synonyms(query, rules, { verbatim: [{ start: 5, end: 8 }] })).toEqual(['staff > employee']);
  });

  it('uses a pack only for queries that may be in its language', () => {
    const german = [layerOf('Gift, Toxin', 'de')];
    const of = (query: string, languages?: Language[]) =>
      expandQuery(analyzeQuery(query), german, { languages }).expansions?.length ?? 0;
    expect(of('what is the limit for a gift from the vendor')).toBe(0);
    expect(of('Was ist mit dem Gift im Keller?')).toBeGreaterThan(0);
    expect(of('Gift')).toBeGreaterThan(0);
    expect(of('Gift', ['en'])).toBe(0);
  });

  it('has at most 32 synonyms', () => {
    const rules = Array.from({ length: 20 }, (_, at) => `word${at}, a${at} x, b${at} x, c${at} x`).join('\n');
    const query = Array.from({ length: 20 }, (_, at) => `word${at}`).join(' ');
    expect(synonyms(query, rules)).toHaveLength(32);
  });

  describe('with the largest synonyms of a team', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyzабвгдежзиклмнопрстуфхцчш'];
    /** What a search does at most: lookups of words, compared terms and listed synonyms. */
    const LOOKUPS = 64 * 2;
    const COMPARED = LOOKUPS * 200;
    const LISTED = 50_000;

    const stepsOf = (query: string, rules: readonly SynonymRule[], accepts: () => boolean) => {
      const steps = { lookups: 0, compared: 0, listed: 0 };
      const counted = () => {
        steps.compared += 1;
        return accepts();
      };
      const layer = synonymLayer(createSynonymIndex(rules), counted);
      const matchAt: typeof layer.matchAt = (...place) => {
        steps.lookups += 1;
        const match = layer.matchAt(...place);
        steps.listed += match?.replacements.length ?? 0;
        return match;
      };
      const { expansions = [] } = expandQuery(analyzeQuery(query), [{ ...layer, matchAt }]);
      return { ...steps, synonyms: new Set(expansions.map(({ synonym: { from, to } }) => `${from} > ${to}`)).size };
    };

    const expectFew = (query: string, rules: readonly SynonymRule[]) => {
      for (const accepted of [true, false]) {
        const { lookups, compared, listed, synonyms: found } = stepsOf(query, rules, () => accepted);
        expect(lookups).toBeLessThanOrEqual(LOOKUPS);
        expect(compared).toBeLessThanOrEqual(COMPARED);
        expect(listed).toBeLessThanOrEqual(LISTED);
        expect(found).toBeLessThanOrEqual(32);
      }
    };

    it('takes few steps if the query has all words of all rules', () => {
      const query = Array.from({ length: 1_000 }, (_, at) => letters[at % letters.length]).join(' ');
      expectFew(query, Array(1_000).fill({ input: [], terms: letters }));
      expectFew(query, Array(1_000).fill({ input: letters, terms: ['a b c d e f g h i j'] }));
    });

    it('takes few steps if many terms of several words begin alike', () => {
      const terms = Array.from({ length: 10 }, (_, at) =>
        Array(at + 1)
          .fill('x')
          .join(' '),
      );
      expectFew(Array(1_000).fill('x').join(' '), Array(1_000).fill({ input: [], terms }));
    });

    it('takes few steps, whatever the rules and the query are', () => {
      const letter = fc.constantFrom(...letters.slice(0, 8));
      const term = fc.array(letter, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
      const rule = fc.record({
        input: fc.uniqueArray(term, { maxLength: 8 }),
        terms: fc.uniqueArray(term, { minLength: 1, maxLength: 50 }),
      });
      const query = fc.array(letter, { maxLength: 1_000 }).map((words) => words.join(' '));
      fc.assert(fc.property(query, fc.array(rule, { maxLength: 60 }), expectFew), { numRuns: 20 });
    });
  });

  it('compares the first 64 words, each with the first 20 rules that apply to it', () => {
    const rules = Array.from({ length: 300 }, (_, at) => ({ input: ['zorbik'], terms: [`word${at}`] }));
    const of = (query: string, applies: (rule: SynonymRule) => boolean) =>
      (expandQuery(analyzeQuery(query), [synonymLayer(createSynonymIndex(rules), applies)]).expansions ?? []).map(
        ({ synonym: { to } }) => to,
      );
    const words = (from: number) => Array.from({ length: 20 }, (_, at) => `word${from + at}`);
    expect([...new Set(of('zorbik', () => true))]).toEqual(words(0));
    expect([...new Set(of('zorbik', ({ terms }) => Number(terms[0]?.slice(4)) >= 100))]).toEqual(words(100));
    expect(of(`${'velmor '.repeat(63)}zorbik`, () => true)).not.toEqual([]);
    expect(of(`${'velmor '.repeat(64)}zorbik`, () => true)).toEqual([]);
  });

  it('finds the same in a language that was prepared in steps', () => {
    const rules = [{ input: [], terms: ['PTO', 'paid time off', 'vacation'] }];
    const [plain, prepared] = [createSynonymIndex(rules), createSynonymIndex(rules)];
    let pauses = 0;
    for (const work = prepared.prepare('en'); !work.next().done; ) pauses += 1;
    expect(pauses).toBe(3);
    expect([...prepared.prepare('en')]).toEqual([]);
    const query = analyzeQuery('my vacations');
    expect(expandQuery(query, [synonymLayer(prepared)])).toEqual(expandQuery(query, [synonymLayer(plain)]));
  });

  it('keeps the query, whatever the rules are', () => {
    const word = fc.constantFrom(
      'pay',
      'Paid',
      'time',
      'off',
      'IT',
      'it',
      'leave',
      'sign-up',
      'Urlaub',
      '休暇',
      'C++',
      '😀',
    );
    const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
    const rule = fc.record({
      input: fc.array(text, { maxLength: 2 }),
      terms: fc.array(text, { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(text, fc.array(rule, { maxLength: 6 }), (query, rules) => {
        const analyzed = analyzeQuery(query);
        const index = createSynonymIndex(rules);
        const { expansions = [], ...rest } = expandQuery(analyzed, [synonymLayer(index)]);
        expect(rest).toEqual(analyzed);
        for (const { terms, weight, synonym } of expansions) {
          expect(terms.length).toBeGreaterThan(0);
          expect(weight).toBeGreaterThan(0);
          expect(weight).toBeLessThan(1);
          expect(query).toContain(synonym.from);
          expect(rules.some((one) => one.terms.includes(synonym.to))).toBe(true);
        }
        expect(expandQuery(analyzed, [synonymLayer(index, () => false)])).toBe(analyzed);
      }),
    );
  });
});
