/** A score and whether the answer was right. */
export interface Outcome {
  readonly score: number;
  readonly right: boolean;
}

/** Answers whose scores lie in one tenth. */
export interface ReliabilityBin {
  /** The tenth begins here. */
  readonly from: number;
  readonly count: number;
  readonly meanScore: number;
  /** Share that was right. */
  readonly right: number;
}

const BINS = 10;

/** The reliability curve: by tenths of the score, how many answers were right. Empty tenths are left out. */
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

/** Expected calibration error: how far mean score and share of right answers lie apart, averaged over the answers. NaN without any. */
export function calibrationError(curve: readonly ReliabilityBin[]): number {
  const all = curve.reduce((sum, { count }) => sum + count, 0);
  return curve.reduce((sum, { count, meanScore, right }) => sum + (count / all) * Math.abs(meanScore - right), 0);
}
