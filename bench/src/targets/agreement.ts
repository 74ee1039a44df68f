import type { CorpusQuery } from '#corpus/corpus';
import { RESULTS } from '#targets/search-target';

/** One answer's documents a query, in the queries' order. */
export type Answers = readonly (readonly string[])[];

/** The share of queries that two systems answered with the same documents in the same order, 0 to 1. */
export function agreement(a: Answers, b: Answers): number {
  const same = a.filter((documents, at) => documents.join('\n') === b[at]?.join('\n'));
  return a.length === 0 ? 1 : same.length / a.length;
}

/**
 * Recall at 10, averaged over the judged queries: of a query's relevant documents, how many were found (of the ten at most that fit).
 * Undefined where no query is judged.
 */
export function meanRecall(queries: readonly CorpusQuery[], answers: Answers): number | undefined {
  const recalls = queries.flatMap(({ relevant }, at) => {
    if (relevant.size === 0) return [];
    const found = answers[at]?.filter((document) => relevant.has(document)).length ?? 0;
    return [found / Math.min(RESULTS, relevant.size)];
  });
  if (recalls.length === 0) return undefined;
  return recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length;
}
