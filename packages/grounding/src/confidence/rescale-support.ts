/**
 * The maximum score of a reply without support: shape confidence and the absence of violations
 * count .35 together.
 */
const WITHOUT_SUPPORT = 0.35;

/**
 * Rescales a probability of support: 0 up to .35, then growing with the square up to 1. The square
 * corrects for probabilities that assume an answer for half of all questions: between .74 and .87,
 * about half of the answers to hard questions were right when it was chosen, and so are `medium`.
 */
export function rescaleSupport(support: number): number {
  return Math.max(0, (support - WITHOUT_SUPPORT) / (1 - WITHOUT_SUPPORT)) ** 2;
}
