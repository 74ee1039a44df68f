/**
 * Undoes a part of BM25's saturation: `w^1.5` comes close to `1 + ln(tf)` at average length and measured better than both (cranfield by LSI alone:
 * .442 against .430 for `w` and .435 for `1 + ln(tf)`).
 */
const PASSAGE_POWER = 1.5;

/** What a term of a passage weighs, from its weight in the lexical leg, before the inverse document frequency. */
export function passageWeight(weight: number): number {
  return weight ** PASSAGE_POWER;
}

/** What a term of a query weighs, from its frequency; words that count for less (readings in less likely languages) keep their share. */
export function queryWeight(frequency: number): number {
  return frequency >= 1 ? 1 + Math.log(frequency) : frequency;
}

/** `ln(1 + (N − n + .5) / (n + .5))`, as the lexical leg has it; `n` of `passages` hold the term. */
export function inverseDocumentFrequency(passages: number, withTerm: number): number {
  return Math.log(1 + (passages - withTerm + 0.5) / (withTerm + 0.5));
}

/** The most that the ranking by meaning counts beside the lexical one's 1, and how it grows with what the space knows of the query. */
const WEIGHT = { factor: 3, most: 0.6 } as const;

/**
 * What the ranking counts for a query of whose squared length the space keeps `known` (0 to 1). A query of rare terms is all but lost in few
 * dimensions: there the lexical leg had better decide. Chosen on scifact's train queries and cranfield.
 */
export function hybridWeightOf(known: number): number {
  return Math.min(WEIGHT.most, WEIGHT.factor * known);
}
