import { describe, expect, it } from '@jest/globals';
import { compareRuns } from '#eval/compare';
import { type EvalResult, rate } from '#eval/eval-result';
import type { Mode } from '#eval/modes';

/** A run in which each query's one relevant document stands at the rank given. */
function run(mode: Mode, ranks: Readonly<Record<string, number>>): EvalResult {
  const answers = Object.entries(ranks).map(([id, rank]) => ({
    id,
    text: id,
    judgements: new Map([['hit', 1]]),
    ranking: [...Array.from({ length: rank - 1 }, (_, at) => `miss${at}`), 'hit'],
    latencyMs: 1,
  }));
  return {
    corpus: 'c',
    documents: 9,
    takenAt: '2026-01-01T00:00:00.000Z',
    settled: true,
    modes: [rate(mode, answers)],
  };
}

describe('compareRuns', () => {
  it('tells which queries got better and worse, the largest change first', () => {
    const [hybrid] = compareRuns(run('hybrid', { a: 1, b: 5, c: 3, d: 2 }), run('hybrid', { a: 2, b: 1, c: 2, d: 2 }));
    expect(hybrid?.better.map(({ id }) => id)).toEqual(['b', 'c']);
    expect(hybrid?.worse.map(({ id }) => id)).toEqual(['a']);
    expect(hybrid?.mrr10.now).toBeCloseTo((0.5 + 1 + 0.5 + 0.5) / 4, 12);
  });

  it('compares over the queries that both runs asked', () => {
    const [hybrid] = compareRuns(run('hybrid', { a: 1, old: 50 }), run('hybrid', { a: 1, new: 50 }));
    expect(hybrid).toMatchObject({ shared: 1, ndcg10: { before: 1, now: 1 }, better: [], worse: [] });
  });

  it('leaves out modes and queries that only one run has', () => {
    expect(compareRuns(run('keyword', { a: 1 }), run('hybrid', { a: 1 }))).toEqual([]);
    expect(compareRuns(run('hybrid', { a: 1 }), run('hybrid', { b: 1 }))).toEqual([]);
  });
});
