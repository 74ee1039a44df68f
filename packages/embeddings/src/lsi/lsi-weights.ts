/**
 * Reverts part of BM25's saturation: `w^1.5` is close to `1 + ln(tf)` at average length and
 * measured better than both (cranfield with LSI alone: 0.442 against 0.430 for `w` and 0.435 for `1
 * + ln(tf)`).
 */
const PASSAGE_POWER = 1.5;

/**
 * Returns the weight of a passage's term from its sparse weight, before the inverse document
 * frequency.
 */
export function passageWeight(weight: number): number {
  return weight ** PASSAGE_POWER;
}

/**
 * Returns the weight of a query's term from its frequency. Terms with a lower weight (in less
 * likely languages) keep that ratio.
 */
export function queryWeight(frequency: number): number {
  return frequency >= 1 ? 1 + Math.log(frequency) : frequency;
}

/**
 * Returns `ln(1 + (N − n + .5) / (n + .5))` as in the keyword leg; `n` of `passages` contain the
 * term.
 */
export function inverseDocumentFrequency(passages: number, withTerm: number): number {
  return Math.log(1 + (passages - withTerm + 0.5) / (withTerm + 0.5));
}

/**
 * The largest weight of the semantic ranking relative to the keyword ranking (1), and its growth
 * with the known part of the query.
 */
const WEIGHT = { factor: 3, most: 0.6 } as const;

/**
 * Returns the weight of the ranking for a query. `known` is the share of its squared length that
 * the space keeps (0 to 1). Few dimensions represent rare terms poorly, so the keyword leg should
 * decide for a query of rare terms. Chosen on scifact's train queries and cranfield.
 */
export function hybridWeightOf(known: number): number {
  return Math.min(WEIGHT.most, WEIGHT.factor * known);
}
