/** The score of an answer without support: shape confidence and the absence of violations. */
const WITHOUT_SUPPORT = 0.35;

/**
 * Rescales a probability of support for the coverage signals: 0 up to .35, then growing linearly up
 * to 1. The weighted sum of the signals is then about that probability.
 */
export function rescaleSupport(support: number): number {
  return Math.max(0, (support - WITHOUT_SUPPORT) / (1 - WITHOUT_SUPPORT));
}

/**
 * Returns the share of the other signals that counts: less than 1 below .35, so that the sum is
 * about the probability there too.
 */
export function uncoveredShare(support: number): number {
  return Math.min(1, support / WITHOUT_SUPPORT);
}
