import { describe, expect, it } from '@jest/globals';
import { compareRuns } from '#eval/compare';
import { type EvalResult, rate } from '#eval/eval-result';
import { writeEvalReport } from '#eval/report';

const run = (takenAt: string, ...ranking: string[]): EvalResult => {
  const answer = { id: 'q7', text: 'q', judgments: new Map([['hit', 1]]), ranking, latencyMs: 12 };
  const modes = [rate('hybrid', [answer])];
  return { corpus: 'small', documents: 40, takenAt, commit: 'abc', indexedMs: 2_000, settled: true, modes };
};

describe('writeEvalReport', () => {
  it('shows the metrics of each mode and how they were measured', () => {
    const report = writeEvalReport(run('2026-01-02T00:00:00.000Z', 'miss', 'hit'));
    expect(report).toContain('# Search quality: small');
    expect(report).toContain('40 documents, 1 judged queries');
    expect(report).toMatch(/hybrid +\| +0\.6309 \| +1\.0000 \| +0\.5000 \| +0\.0000 \| +1\.0000 \| +12\.0 /);
    expect(report).not.toContain('Since');
  });

  it('shows the changes since the previous run with their queries', () => {
    const before = run('2026-01-01T00:00:00.000Z', 'miss', 'hit');
    const now = run('2026-01-02T00:00:00.000Z', 'hit');
    const report = writeEvalReport(now, before, compareRuns(before, now));
    expect(report).toContain('## Since 2026-01-01T00:00:00.000Z at commit abc');
    expect(report).toMatch(/hybrid +\| \+0\.3691 /);
    expect(report).toContain('hybrid, better: q7 (0.6309 → 1.0000)');
  });

  it('reports that results were still changing', () => {
    expect(writeEvalReport({ ...run('2026-01-02T00:00:00.000Z', 'hit'), settled: false })).toContain('still changing');
  });
});
