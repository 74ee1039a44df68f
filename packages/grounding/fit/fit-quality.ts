import { auroc } from '#evaluation/auroc';
import { calibrationError, reliabilityCurve } from '#evaluation/reliability';
import type { DocumentSet, UnitRow } from './read-rows.ts';

/** How well probabilities separate questions with and without an answer. Shares are from 0 to 1. */
export interface FitQuality {
  readonly questions: number;
  /** The share of questions, with all documents, whose best unit is in a document that answers. */
  readonly accuracy: number;
  /**
   * Area under the ROC curve: all documents versus the half without an answer, the closest without
   * one, and a changed subject. NaN if there are none.
   */
  readonly aurocHalf: number;
  readonly aurocClosest: number;
  readonly aurocAltered: number;
  /** The share of questions with all documents that are refused, and of the others that are. */
  readonly refusedAnswerable: number;
  readonly refusedWithout: number;
  readonly refusedAltered: number;
  /**
   * The expected calibration error in tenths, over all documents and over those without an answer.
   */
  readonly calibrationError: number;
}

/** Evaluates the best-scoring unit of each question, which a reply would quote. */
export function qualityOf(rows: readonly UnitRow[], scoreOf: (row: UnitRow) => number, threshold: number): FitQuality {
  const best = bestUnits(rows, scoreOf);
  const scores = (...sets: DocumentSet[]) =>
    best.filter(({ row }) => sets.includes(row.documentSet)).map(({ score }) => score);
  const all = best.filter(({ row }) => row.documentSet === 'all');
  const refused = (values: readonly number[]) => values.filter((score) => score < threshold).length / values.length;
  const counted = best.filter(({ row }) => row.documentSet === 'all' || row.documentSet === 'half');
  return {
    questions: all.length,
    accuracy: all.filter(({ row }) => row.answers).length / all.length,
    aurocHalf: auroc(scores('all'), scores('half')),
    aurocClosest: auroc(scores('all'), scores('without')),
    aurocAltered: auroc(scores('all'), scores('altered')),
    refusedAnswerable: refused(scores('all')),
    refusedWithout: refused(scores('without', 'half')),
    refusedAltered: refused(scores('altered')),
    calibrationError: calibrationError(
      reliabilityCurve(counted.map(({ row, score }) => ({ score, right: row.answers }))),
    ),
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
