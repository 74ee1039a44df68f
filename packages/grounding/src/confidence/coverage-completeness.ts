import { answerState, NO_SOURCE_NEEDED } from '#confidence/answer-state';
import type { SourceSupport } from '#confidence/cited-support';
import { rescaleSupport } from '#confidence/rescale-support';
import type { ReviewedReply } from '#quality/quality-rule';
import type { QueryShape } from '#shape/query-shape';

/** The number of documents that a complete answer cites. */
const EXPECTED_DOCUMENTS: Readonly<Record<QueryShape, number>> = {
  lookup: 1,
  how_to: 1,
  comparison: 2,
  list: 1,
  summary: 2,
  analysis: 2,
  conversational: 1,
};

/** Documents with less support are retrieval noise, and an answer need not cite them. */
const RELEVANT = 0.4;

/**
 * Returns how completely the reply cites the relevant documents: the support of the cited documents
 * divided by the support of the best retrieved ones (as many as the shape expects and as are
 * relevant), times the rescaled support of the best citation. 1 if the reply cites the best
 * documents and these certainly answer the question; 0 if it is unanswered; .5 for small talk,
 * which needs no source.
 */
export function coverageCompleteness(
  reviewed: ReviewedReply,
  { cited: best, byDocument, citedDocuments }: SourceSupport,
): number {
  const state = answerState(reviewed);
  if (state !== 'answered') return state === 'needs_none' ? NO_SOURCE_NEEDED : 0;
  const expected = EXPECTED_DOCUMENTS[reviewed.shape];
  const ranked = [...byDocument.values()].sort((a, b) => b - a);
  const relevant = ranked.filter((support, rank) => rank === 0 || support >= RELEVANT);
  const ideal = sum(relevant.slice(0, expected));
  const cited = [...citedDocuments].map((id) => byDocument.get(id) ?? 0).sort((a, b) => b - a);
  return ideal === 0 ? 0 : Math.min(1, sum(cited.slice(0, expected)) / ideal) * rescaleSupport(best);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
