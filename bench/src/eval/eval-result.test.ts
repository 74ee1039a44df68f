import { describe, expect, it } from '@jest/globals';
import { evalResult, rate } from '#eval/eval-result';

const answer = (id: string, latencyMs: number, ...ranking: string[]) => ({
  id,
  text: id,
  judgments: new Map([['hit', 1]]),
  ranking,
  latencyMs,
});

describe('rate', () => {
  const mode = rate('hybrid', [answer('a', 10, 'hit'), answer('b', 30, 'x', 'hit'), answer('c', 20)]);

  it('averages over all queries, including those without results', () => {
    expect(mode.mrr10).toBeCloseTo(1.5 / 3, 12);
    expect(mode.recall100).toBeCloseTo(2 / 3, 12);
    expect(mode.ndcg10).toBeCloseTo((1 + 1 / Math.log2(3)) / 3, 12);
    expect(mode).toMatchObject({ p50Ms: 20, p95Ms: 30 });
  });

  it('keeps the best documents of each query', () => {
    expect(mode.queries[1]).toMatchObject({ id: 'b', mrr10: 0.5, top: ['x', 'hit'] });
  });

  it('can be written and read again', () => {
    const run = { corpus: 'c', documents: 3, takenAt: '2026-01-01T00:00:00.000Z', settled: true, modes: [mode] };
    expect(evalResult.parse(JSON.parse(JSON.stringify(run)))).toEqual(run);
  });
});
