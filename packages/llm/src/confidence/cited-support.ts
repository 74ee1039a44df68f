import { listCandidates } from '#evidence/candidates';
import { readQuestion } from '#evidence/question';
import { questionLanguage } from '#evidence/question-language';
import { type ScoredCandidate, scoreCandidates } from '#evidence/score-candidates';
import { createJudge, type Judge } from '#evidence/support';
import type { CitationEvent } from '#model/chat-event';
import type { SourceDocument } from '#model/source-document';
import type { ReviewedReply } from '#quality/quality-rule';

/** How well sources support an answer to the question: probabilities between 0 and 1. */
export interface SourceSupport {
  /** Of the best of what was cited. */
  readonly cited: number;
  /** Of the best unit in each document retrieved, by document id. */
  readonly byDocument: ReadonlyMap<string, number>;
  readonly citedDocuments: ReadonlySet<string>;
}

/** Units that are cited are judged from the best on; a list or a summary quotes many. */
const MOST_JUDGED = 12;

/** What sources say to a question, whatever is answered. */
interface Evidence {
  readonly question: string;
  /** Best first. */
  readonly scored: readonly ScoredCandidate[];
  readonly judge: Judge;
  readonly byDocument: ReadonlyMap<string, number>;
}

/** By the list of sources that a model was given: it is the same one from the prompt to the last check. */
const known = new WeakMap<readonly SourceDocument[], Evidence>();

/**
 * Compares sources with a question, for `scoreAnswer` to find it done. Takes some milliseconds, so it is worth doing while a model still writes. The
 * list of sources must be the one that is scored, and not be changed.
 */
export function readEvidenceAhead(question: string, sources: readonly SourceDocument[]): void {
  evidenceOf(question, sources);
}

function evidenceOf(question: string, sources: readonly SourceDocument[]): Evidence {
  const found = known.get(sources);
  if (found?.question === question) return found;
  const read = readEvidence(question, sources);
  known.set(sources, read);
  return read;
}

function readEvidence(question: string, sources: readonly SourceDocument[]): Evidence {
  const asked = readQuestion(question, questionLanguage(question, sources));
  const scored = scoreCandidates(asked, listCandidates(sources, asked.language));
  const judge = createJudge(asked, scored);
  const byDocument = new Map<string, number>();
  // The best unit of a document stands for it: `scored` is best first.
  for (const entry of scored) {
    const { id } = entry.candidate.source;
    if (!byDocument.has(id)) byDocument.set(id, judge(entry));
  }
  return { question, scored, judge, byDocument };
}

/** Judges the retrieved passages, and among them the cited ones, against the question. */
export function supportBySource({ question, citations, sources }: ReviewedReply): SourceSupport {
  const { scored, judge, byDocument } = evidenceOf(question, sources);
  const quoted = scored.filter((entry) => citations.some((citation) => covers(citation, entry)));
  const cited = Math.max(0, ...quoted.slice(0, MOST_JUDGED).map(judge));
  return { cited, byDocument, citedDocuments: new Set(citations.map(({ sourceId }) => sourceId)) };
}

/** Whether a citation quotes a unit, all of it or the part that matters. */
function covers({ sourceId, passageIndex, quote }: CitationEvent, { candidate }: ScoredCandidate): boolean {
  if (candidate.source.id !== sourceId || candidate.passageIndex !== passageIndex) return false;
  return quote.includes(candidate.unit.text) || candidate.unit.text.includes(quote);
}
