import { describe, expect, it } from '@jest/globals';
import { timeLimit } from '@lectern/testing';
import fc from 'fast-check';
import { analyzeOperators, readOperators } from '#query/parse-query';

const NONE = { phrases: [], excluded: [], boosted: [] };

describe('readOperators', () => {
  it('reads a query without operators as plain text', () => {
    expect(readOperators(' parental leave ')).toEqual({ ...NONE, text: 'parental leave' });
  });

  it.each(['policy "paid time off"', 'policy “paid time off”', 'policy „paid time off“', 'policy «paid time off»'])(
    'reads the phrase of %s and keeps its words in the text',
    (query) => {
      expect(readOperators(query)).toEqual({ ...NONE, text: 'policy  paid time off', phrases: ['paid time off'] });
    },
  );

  it('excludes words and phrases after a minus', () => {
    expect(readOperators('leave -draft -"old policy" (-x)')).toMatchObject({
      phrases: [],
      excluded: ['draft', 'old policy', 'x)'],
    });
    expect(readOperators('-draft')).toEqual({ ...NONE, text: '', excluded: ['draft'] });
    expect(readOperators('leave for parents -draft')).toMatchObject({ excluded: ['draft'] });
  });

  it.each([
    ['what does the message "card declined" mean', ['card declined']],
    ['how do I translate "hello" - and why', ['hello']],
    ['"card declined"?', ['card declined']],
    ['was bedeutet die Meldung „Karte abgelehnt“', ['Karte abgelehnt']],
    ['que signifie le message «carte refusée»', ['carte refusée']],
    ['信息“卡被拒绝”是什么意思？', ['卡被拒绝']],
    ['why is the file -draft not there', []],
    ['why is "paid leave" not in the file -"old policy"', ['paid leave']],
    ['why is the word in non-"old policy"', ['old policy']],
  ])('reads %s as a sentence', (query, boosted) => {
    expect(readOperators(query)).toEqual({ text: query, phrases: [], excluded: [], boosted });
  });

  it.each(['e-mail', 'a - b', '5 --help', 'write "hello', '-', '""'])('reads %s as plain text', (query) => {
    expect(readOperators(query)).toMatchObject(NONE);
  });

  it('never reads operators in a text with two or more function words', () => {
    const functionWords = fc.constantFrom('what', 'is', 'the', 'how', 'do', 'I', 'to', 'with', 'and', 'when', 'which');
    const keyword = fc.constantFrom('leave', 'card', 'laptop', 'Berlin', '-draft', '"paid time off"', '"x" -"y"', '-5');
    fc.assert(
      fc.property(
        fc.array(functionWords, { minLength: 2, maxLength: 4 }),
        fc.array(keyword, { maxLength: 5 }),
        fc.infiniteStream(fc.nat()),
        (sentence, keywords, random) => {
          const words = [...sentence, ...keywords]
            .map((word) => ({ word, at: random.next().value }))
            .sort((a, b) => a.at - b.at)
            .map(({ word }) => word);
          expect(readOperators(words.join(' '))).toMatchObject({ phrases: [], excluded: [] });
        },
      ),
    );
  });

  it('ignores the quotes of a long text', () => {
    const text = `The "final" report ${'describes each step of the work '.repeat(6)}.`;
    expect(readOperators(text)).toEqual({ text, phrases: [], excluded: [], boosted: [] });
  });

  it('needs time proportional to the length of the query', () => {
    const startedAt = performance.now();
    for (const part of ['"', '-"', ' -', '“', '-a', '"a" ']) readOperators(part.repeat(50_000));
    expect(performance.now() - startedAt).toBeLessThan(timeLimit(2_000));
  });
});

describe('analyzeOperators', () => {
  it('gives the quoted words of a sentence a higher weight', () => {
    const { analyzed } = analyzeOperators(readOperators('what does the message "card declined" mean'), ['en']);
    expect(new Map(analyzed.terms.map(({ term, weight }) => [term, weight]))).toEqual(
      new Map([
        ['messag', 1],
        ['card', 1.5],
        ['declin', 1.5],
        ['mean', 1],
      ]),
    );
  });

  it('does not raise the weight of quoted words after a minus', () => {
    const query = 'what does the message "card declined" mean -"old policy"';
    const { analyzed } = analyzeOperators(readOperators(query), ['en']);
    const weights = new Map(analyzed.terms.map(({ term, weight }) => [term, weight]));
    expect(['card', 'declin', 'old', 'polici'].map((term) => weights.get(term))).toEqual([1.5, 1.5, 1, 1]);
  });
});
