import type { SourceDocument } from '#citations/source-document';
import { listCandidates } from '#evidence/candidates';
import { readQuestion } from '#evidence/question';
import { questionLanguage } from '#evidence/question-language';
import { type ScoredCandidate, scoreCandidates } from '#evidence/score-candidates';
import { createJudge, type Judge } from '#evidence/support';

/** What sources say to a question, whatever is answered. */
export interface Evidence {
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

/** What sources say to a question: read once for each list of sources. */
export function evidenceOf(question: string, sources: readonly SourceDocument[]): Evidence {
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
