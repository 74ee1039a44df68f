/** The score of an answer without support: shape confidence and the absence of violations. */
const WITHOUT_SUPPORT = 0.35;

/**
 * Rescales a probability of support: 0 up to .35, then growing linearly up to 1. The weighted sum of
 * the signals is then about that probability.
 */
export function rescaleSupport(support: number): number {
  return Math.max(0, (support - WITHOUT_SUPPORT) / (1 - WITHOUT_SUPPORT));
}
