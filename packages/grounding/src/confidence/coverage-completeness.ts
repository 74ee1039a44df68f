import { answerState } from '#confidence/answered';
import type { SourceSupport } from '#confidence/cited-support';
import { trustIn } from '#confidence/trust-in';
import type { ReviewedReply } from '#quality/quality-rule';
import type { QueryShape } from '#shape/query-shape';

/** How many source groups (documents) a full answer draws on: a fact stands in one place, a comparison in two, a survey in more. */
const GROUPS_WANTED: Readonly<Record<QueryShape, number>> = {
  lookup: 1,
  how_to: 1,
  comparison: 2,
  list: 2,
  summary: 2,
  analysis: 2,
  conversational: 1,
};

/** Documents that support an answer less than this are noise of retrieval: leaving them out leaves nothing out. */
const RELEVANT = 0.4;

/**
 * Whether the groups of sources that bear on the question are represented: the support of the cited documents over the support of the best
 * documents retrieved, as many as the question's shape wants and as bear on it at all; times the trust in the best of what
 * is cited, since all of nothing is nothing. 1 when the reply cites the best there is and that answers for certain.
 *
 * 0 where the reply is unanswered, 1 for small talk, which needs no source.
 */
export function coverageCompleteness(
  reviewed: ReviewedReply,
  { cited: best, byDocument, citedDocuments }: SourceSupport,
): number {
  const state = answerState(reviewed);
  if (state !== 'answered') return state === 'needs_none' ? 1 : 0;
  const wanted = GROUPS_WANTED[reviewed.shape];
  const ranked = [...byDocument.values()].sort((a, b) => b - a);
  const relevant = ranked.filter((support, rank) => rank === 0 || support >= RELEVANT);
  const ideal = sum(relevant.slice(0, wanted));
  const cited = [...citedDocuments].map((id) => byDocument.get(id) ?? 0).sort((a, b) => b - a);
  return ideal === 0 ? 0 : Math.min(1, sum(cited.slice(0, wanted)) / ideal) * trustIn(best);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
