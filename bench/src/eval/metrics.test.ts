import { describe, expect, it } from '@jest/globals';
import { mean, ndcg, recall, reciprocalRank } from '#eval/metrics';

const judged = (grades: Record<string, number>) => new Map(Object.entries(grades));
const log2 = Math.log2;

describe('ndcg', () => {
  it('is 1 for the ideal order and 0 without a relevant document', () => {
    expect(ndcg(['a', 'b', 'x'], judged({ a: 2, b: 1 }), 10)).toBe(1);
    expect(ndcg(['x', 'y'], judged({ a: 1 }), 10)).toBe(0);
    expect(ndcg([], judged({ a: 1 }), 10)).toBe(0);
    expect(ndcg(['x'], judged({}), 10)).toBe(0);
  });

  it('uses the grade as gain and log2(rank + 1) as discount', () => {
    const dcg = 1 / log2(2) + 3 / log2(4);
    const ideal = 3 / log2(2) + 1 / log2(3);
    expect(ndcg(['one', 'x', 'three'], judged({ one: 1, three: 3 }), 10)).toBeCloseTo(dcg / ideal, 12);
  });

  it('cuts the ranking and the ideal at the depth', () => {
    const many = judged({ a: 1, b: 1, c: 1 });
    expect(ndcg(['a', 'b', 'x'], many, 2)).toBe(1);
    expect(ndcg(['x', 'y', 'a'], many, 2)).toBe(0);
  });

  it('lowers the score for missing documents', () => {
    expect(ndcg(['a'], judged({ a: 1, b: 1 }), 10)).toBeCloseTo(1 / (1 + 1 / log2(3)), 12);
  });
});

describe('recall', () => {
  it('returns the share of all relevant documents, even if not all fit within the depth', () => {
    expect(recall(['a', 'x', 'b'], judged({ a: 1, b: 2, c: 1, d: 1 }), 100)).toBe(0.5);
    expect(recall(['a', 'x', 'b'], judged({ a: 1, b: 2, c: 1, d: 1 }), 2)).toBe(0.25);
    expect(recall(['a'], judged({}), 100)).toBe(0);
  });
});

describe('reciprocalRank', () => {
  it('uses only the first relevant document within the depth', () => {
    expect(reciprocalRank(['x', 'a', 'b'], judged({ a: 1, b: 3 }), 10)).toBe(0.5);
    expect(reciprocalRank(['x', 'a'], judged({ a: 1 }), 1)).toBe(0);
  });
});

describe('mean', () => {
  it('returns 0 without values', () => {
    expect(mean([1, 0, 0.5])).toBe(0.5);
    expect(mean([])).toBe(0);
  });
});
