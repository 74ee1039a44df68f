/**
 * What the cosines of a model mean. Models differ: unrelated texts have a cosine of 0
 * in one and .7 in another. docs/search.md shows the measurements.
 */
export interface Similarity {
  /** A passage's relevance to a query is its cosine times this, from 0 to 1. */
  readonly factor: number;
  /** The lowest relevance of a match. */
  readonly leastRelevance: number;
  /** The lowest cosine of a match, as a share of the query's highest cosine. */
  readonly leastShare: number;
}

/** Returns the relevance of a passage, 0 to 1. */
export function semanticRelevance(cosine: number, { factor }: Similarity): number {
  return Math.min(1, Math.max(0, cosine * factor));
}

/** Returns whether a passage matches a query by meaning. `best` is the query's highest cosine. */
export function isSimilar(cosine: number, best: number, similarity: Similarity): boolean {
  if (cosine <= 0 || cosine < similarity.leastShare * best) return false;
  return semanticRelevance(cosine, similarity) >= similarity.leastRelevance;
}

/**
 * Hashed vectors compare spelling and are noisy: of queries about another subject, a tenth reach
 * .4. Almost all of their matches also contain a word of the query.
 */
export const HASH_SIMILARITY: Similarity = { factor: 1, leastRelevance: 0.4, leastShare: 0.4 };

/**
 * For trained models. Not calibrated with a real one: models for which unrelated texts are similar
 * need other values.
 */
export const TRAINED_SIMILARITY: Similarity = { factor: 1, leastRelevance: 0.25, leastShare: 0.85 };

const LEARNED = { factor: 2.5, leastRelevance: 0.15, leastShare: 0.4 } as const;

/**
 * Returns the similarity of a query in a learned space. `known` is the share of the query's squared
 * length that the space keeps: cosines mean less if most of the query is unknown. Chosen on
 * cranfield, scifact, cisi and npl, each with its own queries and with those of other collections.
 */
export function learnedSimilarity(known: number): Similarity {
  return { ...LEARNED, factor: Math.min(1, LEARNED.factor * Math.sqrt(known)) };
}
