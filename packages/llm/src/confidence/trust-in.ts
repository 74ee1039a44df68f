/** What a reply without any support scores by its form alone: a shape that is recognised and no violation count .35 together. */
const BY_FORM = 0.35;

/**
 * A probability of support as a share of what a score still has to give: 0 up to .35, then evenly up to 1. With both coverage signals at this
 * share, and the other two at their best, the weighted sum is the probability itself.
 */
export function trustIn(support: number): number {
  return Math.max(0, (support - BY_FORM) / (1 - BY_FORM));
}
