/** Relevance grades by document: integers above 0. Other documents are not relevant. */
export type Judgments = ReadonlyMap<string, number>;

/** The documents of a ranking, best first, each once. */
export type Ranking = readonly string[];

/**
 * Returns nDCG at a depth, like trec_eval's `ndcg_cut`: the gain is the grade, the discount
 * log2(rank + 1) with ranks from 1. The ideal is all judged documents by descending grade, cut at
 * the same depth. 0 without relevant documents. Source: Järvelin and Kekäläinen, Cumulated
 * gain-based evaluation of IR techniques, 2002.
 */
export function ndcg(ranking: Ranking, judgments: Judgments, depth: number): number {
  const ideal = discounted([...judgments.values()].toSorted((a, b) => b - a).slice(0, depth));
  if (ideal === 0) return 0;
  return discounted(ranking.slice(0, depth).map((document) => judgments.get(document) ?? 0)) / ideal;
}

/**
 * Returns the share of all relevant documents within the depth, from 0 to 1; 0 without relevant
 * documents.
 */
export function recall(ranking: Ranking, judgments: Judgments, depth: number): number {
  if (judgments.size === 0) return 0;
  return ranking.slice(0, depth).filter((document) => judgments.has(document)).length / judgments.size;
}

/**
 * Returns 1 / rank of the first relevant document within the depth, or 0. The mean over queries is
 * the MRR.
 */
export function reciprocalRank(ranking: Ranking, judgments: Judgments, depth: number): number {
  const at = ranking.slice(0, depth).findIndex((document) => judgments.has(document));
  return at === -1 ? 0 : 1 / (at + 1);
}

/** Returns the arithmetic mean; 0 without values. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
}
