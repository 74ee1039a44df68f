import { describe, expect, it } from '@jest/globals';
import { agreement, meanRecall } from '#targets/agreement';

const query = (id: string, ...relevant: string[]) => ({ id, text: id, relevant: new Set(relevant) });

describe('meanRecall', () => {
  it('returns the mean share of relevant documents found', () => {
    const queries = [query('a', 'd1', 'd2'), query('b', 'd3')];
    expect(meanRecall(queries, [['d9', 'd1'], ['d3']])).toBe(0.75);
  });

  it('does not expect more documents than a response contains', () => {
    const ids = Array.from({ length: 20 }, (_, at) => `d${at}`);
    expect(meanRecall([query('a', ...ids)], [ids.slice(0, 10)])).toBe(1);
  });

  it('skips queries without judgments', () => {
    expect(meanRecall([query('a'), query('b', 'd1')], [[], ['d1']])).toBe(1);
    expect(meanRecall([query('a')], [[]])).toBeUndefined();
  });
});

describe('agreement', () => {
  it('counts responses with the same documents in the same order', () => {
    expect(agreement([['a', 'b'], ['c']], [['b', 'a'], ['c']])).toBe(0.5);
  });
});
