import {
  type IndexingState,
  type Judge,
  MIN_ANSWER_PROBABILITY,
  MIN_CAUTIOUS_PROBABILITY,
  type ScoredCandidate,
} from '@lectern/grounding';

/**
 * How to use the best unit. `answer`: quote it as the answer; `cautious`: quote it as a possible
 * answer; `closest`: state that there is no answer, and quote it as the closest passage; `none`:
 * quote nothing.
 */
export type Verdict = 'answer' | 'cautious' | 'closest' | 'none';

/** A unit with less support has another subject. */
const CLOSEST = 0.01;
/** If the sources do not mention more than this share of the question, no passage is close. */
const MAX_ABSENT = 0.75;

interface Doubts {
  /** Whether the sources lack a year, number or name of the question. */
  readonly isIncomplete: boolean;
  /** Whether the best unit and its context lack half of a short question. */
  readonly isPartial: boolean;
  readonly indexing: IndexingState | undefined;
}

/**
 * Decides how to use the best unit. There is no cautious answer if the sources lack something that
 * the question names, or while documents that can contain the answer are being indexed.
 */
export function judgeBest(
  judge: Judge,
  best: ScoredCandidate | undefined,
  { isIncomplete, isPartial, indexing }: Doubts,
): Verdict {
  const support = best ? judge(best) : 0;
  if (support >= MIN_ANSWER_PROBABILITY && !isPartial) return 'answer';
  if (best === undefined || support < CLOSEST || best.absent > MAX_ABSENT) return 'none';
  const isPending = indexing !== undefined && indexing.pending > 0;
  return support >= MIN_CAUTIOUS_PROBABILITY && !isIncomplete && !isPending ? 'cautious' : 'closest';
}
