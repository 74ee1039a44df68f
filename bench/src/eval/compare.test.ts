import { describe, expect, it } from '@jest/globals';
import { compareRuns } from '#eval/compare';
import { type EvalResult, rate } from '#eval/eval-result';
import type { Mode } from '#eval/modes';

/** A run in which the relevant document of each query has the given rank. */
function run(mode: Mode, ranks: Readonly<Record<string, number>>): EvalResult {
  const answers = Object.entries(ranks).map(([id, rank]) => ({
    id,
    text: id,
    judgments: new Map([['hit', 1]]),
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
  it('lists better and worse queries, largest change first', () => {
    const [hybrid] = compareRuns(run('hybrid', { a: 1, b: 5, c: 3, d: 2 }), run('hybrid', { a: 2, b: 1, c: 2, d: 2 }));
    expect(hybrid?.better.map(({ id }) => id)).toEqual(['b', 'c']);
    expect(hybrid?.worse.map(({ id }) => id)).toEqual(['a']);
    expect(hybrid?.mrr10.now).toBeCloseTo((0.5 + 1 + 0.5 + 0.5) / 4, 12);
  });

  it('compares the queries of both runs', () => {
    const [hybrid] = compareRuns(run('hybrid', { a: 1, old: 50 }), run('hybrid', { a: 1, new: 50 }));
    expect(hybrid).toMatchObject({ shared: 1, ndcg10: { before: 1, now: 1 }, better: [], worse: [] });
  });

  it('skips modes and queries of only one run', () => {
    expect(compareRuns(run('keyword', { a: 1 }), run('hybrid', { a: 1 }))).toEqual([]);
    expect(compareRuns(run('hybrid', { a: 1 }), run('hybrid', { b: 1 }))).toEqual([]);
  });
});
