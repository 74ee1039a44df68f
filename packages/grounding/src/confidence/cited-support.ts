import type { CitationEvent } from '#citations/reply-event';
import { lacksName, negates } from '#confidence/doubts';
import type { ScoredCandidate } from '#evidence/score-candidates';
import { readEvidence } from '#judge/read-evidence';
import type { ReviewedReply } from '#quality/quality-rule';

/** How well sources support an answer to the question: probabilities between 0 and 1. */
export interface SourceSupport {
  /** The support by the best cited unit. */
  readonly cited: number;
  /** The support by the best unit in each document retrieved, by document id. */
  readonly byDocument: ReadonlyMap<string, number>;
  readonly citedDocuments: ReadonlySet<string>;
}

/**
 * The maximum number of cited units that are judged, best first. A list or a summary quotes many.
 */
const MAX_JUDGED = 12;

/** The highest support by units that may state something else, which is never `high`. */
const MAX_DOUBTFUL = 0.6;

/** Judges the retrieved passages, and among them the cited ones, against the question. */
export async function supportBySource({ question, citations, sources }: ReviewedReply): Promise<SourceSupport> {
  const { question: asked, scored, judge, byDocument } = await readEvidence(question, sources);
  const quoted = scored.filter((entry) => citations.some((citation) => covers(citation, entry)));
  const judged = quoted.slice(0, MAX_JUDGED);
  const support = Math.max(0, ...judged.map((entry) => limited(judge(entry), lacksName(asked, entry))));
  const cited = limited(
    support,
    judged.some((entry) => negates(asked, entry)),
  );
  return { cited, byDocument, citedDocuments: new Set(citations.map(({ sourceId }) => sourceId)) };
}

const limited = (support: number, isDoubtful: boolean) => (isDoubtful ? Math.min(MAX_DOUBTFUL, support) : support);

/** Returns whether a citation quotes a unit or a part of it. */
function covers({ sourceId, passageIndex, quote }: CitationEvent, { candidate }: ScoredCandidate): boolean {
  if (candidate.source.id !== sourceId || candidate.passageIndex !== passageIndex) return false;
  return quote.includes(candidate.unit.text) || candidate.unit.text.includes(quote);
}
