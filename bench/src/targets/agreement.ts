import type { CorpusQuery } from '#corpus/corpus';
import { RESULTS } from '#targets/search-target';

/** The documents of each response, in the order of the queries. */
export type Answers = readonly (readonly string[])[];

/**
 * Returns the share of queries for which two systems returned the same documents in the same order,
 * from 0 to 1.
 */
export function agreement(a: Answers, b: Answers): number {
  const same = a.filter((documents, at) => documents.join('\n') === b[at]?.join('\n'));
  return a.length === 0 ? 1 : same.length / a.length;
}

/**
 * Returns mean recall@10 over the judged queries: the share of relevant documents that were found,
 * of at most ten. Undefined without judged queries.
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
