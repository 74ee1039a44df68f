import type { DocumentSet, UnitRow } from './read-rows.ts';

/** How well scores separate questions with and without an answer. */
export interface FitQuality {
  readonly questions: number;
  /** The share of questions, with all documents, whose best unit is in a document that answers. */
  readonly accuracy: number;
  /**
   * Area under the ROC curve: all documents versus the half without an answer, and versus the
   * closest without one.
   */
  readonly aurocHalf: number;
  readonly aurocClosest: number;
}

/** Evaluates the best-scoring unit of each question, which a reply would quote. */
export function qualityOf(rows: readonly UnitRow[], scoreOf: (row: UnitRow) => number): FitQuality {
  const best = bestUnits(rows, scoreOf);
  const scores = (documentSet: DocumentSet) =>
    best.filter(({ row }) => row.documentSet === documentSet).map(({ score }) => score);
  const all = best.filter(({ row }) => row.documentSet === 'all');
  return {
    questions: all.length,
    accuracy: all.filter(({ row }) => row.answers).length / all.length,
    aurocHalf: auroc(scores('all'), scores('half')),
    aurocClosest: auroc(scores('all'), scores('without')),
  };
}

/** Returns the best-scoring unit of each question and document choice. */
export function bestUnits(rows: readonly UnitRow[], scoreOf: (row: UnitRow) => number) {
  const best = new Map<string, { readonly row: UnitRow; readonly score: number }>();
  for (const row of rows) {
    const score = scoreOf(row);
    if (score > (best.get(row.questionKey)?.score ?? Number.NEGATIVE_INFINITY))
      best.set(row.questionKey, { row, score });
  }
  return [...best.values()];
}

/** Returns how often one of `higher` is above one of `lower`. Ties count half. */
export function auroc(higher: readonly number[], lower: readonly number[]): number {
  const wins = higher.flatMap((high) => lower.map((low) => (high > low ? 1 : high === low ? 0.5 : 0)));
  return wins.reduce<number>((sum, win) => sum + win, 0) / wins.length;
}
