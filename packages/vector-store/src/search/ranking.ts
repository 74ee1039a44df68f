import type { Feedback, HybridSearch } from '#search/search-request';

/**
 * How a hybrid search weights its legs, relative to the keyword leg (1). The weights of single words,
 * pairs of words and character n-grams are in the sparse encoder. docs/search.md has the
 * measurements.
 */
const RANKING = {
  /** The leg that compares words with whole documents; `fuse` adapts it to the scores found. */
  document: 1,
  /** The semantic leg in a learned space: `factor` × the known share of the query. */
  learned: { factor: 3, most: 0.4 },
  /** Feedback in a learned space: `factor` × the known share. Below `least` it changes no order. */
  feedback: { factor: 3, most: 0.4, least: 0.05, examples: 2, documents: 100 },
} as const;

/** The weight of the document leg relative to the keyword leg. */
export const DOCUMENT_WEIGHT = RANKING.document;

/**
 * Returns the weights of a hybrid search in a learned space. `known` is the share of the query that
 * the space knows, from 0 to 1: the words should decide about a query of rare terms.
 */
export function learnedRanking(known: number): Required<Pick<HybridSearch, 'weights' | 'feedback'>> {
  const { learned, feedback } = RANKING;
  return {
    weights: { keyword: 1, semantic: Math.min(learned.most, learned.factor * known) },
    feedback: feedbackOf(Math.min(feedback.most, feedback.factor * known)),
  };
}

function feedbackOf(weight: number): Feedback | undefined {
  const { least, examples, documents } = RANKING.feedback;
  return weight < least ? undefined : { weight, examples, documents };
}
