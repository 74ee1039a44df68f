import type { Among, UnitRow } from './read-rows.ts';

/** How well scores tell answered from unanswered questions. */
export interface FitQuality {
  readonly questions: number;
  /** Share of the questions, asked of all documents, whose best unit stands in a document that answers. */
  readonly picksRight: number;
  /** Area under the ROC curve: all documents against the half without an answer, and against the closest without one. */
  readonly aurocHalf: number;
  readonly aurocClosest: number;
}

/** Takes of each question the unit that scores best, as a reply does, and compares. */
export function qualityOf(rows: readonly UnitRow[], scoreOf: (row: UnitRow) => number): FitQuality {
  const best = bestUnits(rows, scoreOf);
  const scores = (among: Among) => best.filter(({ row }) => row.among === among).map(({ score }) => score);
  const all = best.filter(({ row }) => row.among === 'all');
  return {
    questions: all.length,
    picksRight: all.filter(({ row }) => row.answers).length / all.length,
    aurocHalf: auroc(scores('all'), scores('half')),
    aurocClosest: auroc(scores('all'), scores('without')),
  };
}

/** The unit of each question, and of what it was asked of, that scores best. */
export function bestUnits(rows: readonly UnitRow[], scoreOf: (row: UnitRow) => number) {
  const best = new Map<string, { readonly row: UnitRow; readonly score: number }>();
  for (const row of rows) {
    const score = scoreOf(row);
    if (score > (best.get(row.asked)?.score ?? Number.NEGATIVE_INFINITY)) best.set(row.asked, { row, score });
  }
  return [...best.values()];
}

/** How often one of `higher` is above one of `lower`, equals counting half. */
export function auroc(higher: readonly number[], lower: readonly number[]): number {
  const wins = higher.flatMap((high) => lower.map((low) => (high > low ? 1 : high === low ? 0.5 : 0)));
  return wins.reduce<number>((sum, win) => sum + win, 0) / wins.length;
}
