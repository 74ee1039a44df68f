import { listCandidates } from '#evidence/candidates';
import { readQuestion } from '#evidence/question';
import { type ScoredCandidate, scoreCandidates } from '#evidence/score-candidates';
import { supportOf } from '#evidence/support';
import type { CitationEvent } from '#model/chat-event';
import type { ReviewedReply } from '#quality/quality-rule';

/** How well sources support an answer to the question: probabilities between 0 and 1. */
export interface SourceSupport {
  /** Of the best of what was cited. */
  readonly cited: number;
  /** Of the best unit in each document retrieved, by document id. */
  readonly byDocument: ReadonlyMap<string, number>;
  readonly citedDocuments: ReadonlySet<string>;
}

/** Judges the retrieved passages, and among them the cited ones, against the question. */
export function supportBySource({ question, citations, sources }: ReviewedReply): SourceSupport {
  const asked = readQuestion(question);
  const scored = scoreCandidates(asked, listCandidates(sources, asked.language));
  const byDocument = new Map<string, number>();
  let cited = 0;
  for (const entry of scored) {
    const support = supportOf(asked, entry);
    const { id } = entry.candidate.source;
    byDocument.set(id, Math.max(byDocument.get(id) ?? 0, support));
    if (citations.some((citation) => covers(citation, entry))) cited = Math.max(cited, support);
  }
  return { cited, byDocument, citedDocuments: new Set(citations.map(({ sourceId }) => sourceId)) };
}

/** Whether a citation quotes a unit, all of it or the part that matters. */
function covers({ sourceId, passageIndex, quote }: CitationEvent, { candidate }: ScoredCandidate): boolean {
  if (candidate.source.id !== sourceId || candidate.passageIndex !== passageIndex) return false;
  return quote.includes(candidate.unit.text) || candidate.unit.text.includes(quote);
}
