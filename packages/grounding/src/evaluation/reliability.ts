/** A score, and whether the answer was right. */
export interface Outcome {
  readonly score: number;
  readonly right: boolean;
}

/** Answers with scores in one tenth. */
export interface ReliabilityBin {
  /** The lower bound of the tenth. */
  readonly from: number;
  readonly count: number;
  readonly meanScore: number;
  /** The share of right answers. */
  readonly right: number;
}

const BINS = 10;

/**
 * Returns the reliability curve: the share of right answers by tenths of the score. Skips empty
 * tenths.
 */
export function reliabilityCurve(outcomes: readonly Outcome[]): ReliabilityBin[] {
  const bins = Map.groupBy(outcomes, ({ score }) => Math.min(BINS - 1, Math.floor(score * BINS)));
  return [...bins]
    .sort(([a], [b]) => a - b)
    .map(([bin, members]) => ({
      from: bin / BINS,
      count: members.length,
      meanScore: members.reduce((sum, { score }) => sum + score, 0) / members.length,
      right: members.filter(({ right }) => right).length / members.length,
    }));
}

/**
 * Returns the expected calibration error: the mean difference of mean score and share of right
 * answers. NaN without answers.
 */
export function calibrationError(curve: readonly ReliabilityBin[]): number {
  const all = curve.reduce((sum, { count }) => sum + count, 0);
  return curve.reduce((sum, { count, meanScore, right }) => sum + (count / all) * Math.abs(meanScore - right), 0);
}
