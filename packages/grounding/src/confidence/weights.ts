/** The signals of a confidence score, each from 0 to 1. */
export interface ConfidenceSignals {
  /**
   * How well the cited passages answer the question and support the reply: see `coverage-ratio.ts`.
   */
  readonly coverageRatio: number;
  /** The probability of the question's shape. Reduced like `violationFree`. */
  readonly shapeConfidence: number;
  /** Whether the reply cites the relevant documents: see `coverage-completeness.ts`. */
  readonly coverageCompleteness: number;
  /**
   * 1 minus the severities of the violated quality checks: see `violation-free.ts`. Less if the
   * support of an answer is below .35 (see `rescale-support.ts`), and 0 if there is no answer.
   */
  readonly violationFree: number;
}

/** The weight of each signal. Without coverage the sum is at most .35, which is always `low`. */
export const SIGNAL_WEIGHTS: Readonly<Record<keyof ConfidenceSignals, number>> = {
  coverageRatio: 0.5,
  shapeConfidence: 0.2,
  coverageCompleteness: 0.15,
  violationFree: 0.15,
};

export type ConfidenceLabel = 'high' | 'medium' | 'low';

/** The lowest score of each label. Lower scores are `low`. */
export const LABEL_FLOORS = { high: 0.75, medium: 0.45 } as const;
