/** What a reply without any support scores by its form alone: a shape that is recognised and no violation count .35 together. */
const BY_FORM = 0.35;

/**
 * A probability of support as a share of what a score still has to give: 0 up to .35, then growing with the square up to 1. The square makes up for
 * support being estimated where half of all questions have an answer: between .74 and .87 about half of the answers to hard questions were right
 * when it was chosen, so that these are `medium`.
 */
export function trustIn(support: number): number {
  return Math.max(0, (support - BY_FORM) / (1 - BY_FORM)) ** 2;
}
