/** The signals a confidence score is made of, each 0 to 1. */
export interface ConfidenceSignals {
  /** How well the cited passages answer the question and carry what the reply says: see `coverage-ratio.ts`. */
  readonly coverageRatio: number;
  /** Probability of the shape the question was taken for: see `shape-confidence.ts`. */
  readonly shapeConfidence: number;
  /** How much of what the retrieved documents offer on the question is represented: see `coverage-completeness.ts`. */
  readonly coverageCompleteness: number;
  /** 1 less what the violated quality checks take off: see `violation-free.ts`. */
  readonly violationFree: number;
}

/** What each signal counts. Without anything covered the rest adds up to .35 at most: such a reply is always `low`. */
export const SIGNAL_WEIGHTS: Readonly<Record<keyof ConfidenceSignals, number>> = {
  coverageRatio: 0.5,
  shapeConfidence: 0.2,
  coverageCompleteness: 0.15,
  violationFree: 0.15,
};

export type ConfidenceLabel = 'high' | 'medium' | 'low';

/** Lowest scores of the labels; below both it is `low`. */
export const LABEL_FLOORS = { high: 0.75, medium: 0.45 } as const;
