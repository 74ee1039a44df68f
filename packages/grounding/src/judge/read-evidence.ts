import { type Pausable, runInSlices } from '@lectern/resilience';
import type { SourceDocument } from '#citations/source-document';
import { type ConstraintCheck, createConstraintCheck } from '#constraints/check-constraints';
import { type Candidate, listCandidates } from '#evidence/candidates';
import { type Question, readQuestion } from '#evidence/question';
import { questionLanguage } from '#evidence/question-language';
import { type ScoredCandidate, scoreCandidates } from '#evidence/score-candidates';
import { createJudge, type Judge } from '#judge/support';

/** How well sources answer a question, regardless of the reply. */
export interface Evidence {
  readonly question: Question;
  readonly candidates: readonly Candidate[];
  /** Best first. */
  readonly scored: readonly ScoredCandidate[];
  readonly judge: Judge;
  readonly constraints: ConstraintCheck;
  /** The probability that the best unit of each document answers, by document id. */
  readonly byDocument: ReadonlyMap<string, number>;
}

/**
 * Keyed by the array of sources, which is the same object from the prompt to the last check of a
 * reply.
 */
const known = new WeakMap<readonly SourceDocument[], { readonly text: string; readonly evidence: Promise<Evidence> }>();

/**
 * Compares sources with a question, once for each array of sources, which must not change. Takes
 * about 10 ms of CPU time, in slices, so start it while a model still writes.
 */
export function readEvidence(text: string, sources: readonly SourceDocument[]): Promise<Evidence> {
  const found = known.get(sources);
  if (found?.text === text) return found.evidence;
  const evidence = runInSlices(compareSources(text, sources));
  known.set(sources, { text, evidence });
  return evidence;
}

/** Compares sources with a question for `readEvidence`. Pauses after each unit and each passage. */
export function* compareSources(text: string, sources: readonly SourceDocument[]): Pausable<Evidence> {
  const question = readQuestion(text, questionLanguage(text, sources));
  yield;
  const candidates = yield* listCandidates(sources, question.language);
  const scored = yield* scoreCandidates(question, candidates);
  const constraints = yield* createConstraintCheck(question, candidates);
  const judge = yield* createJudge(question, scored, constraints);
  const byDocument = new Map<string, number>();
  for (const entry of scored) {
    const { id } = entry.candidate.source;
    if (byDocument.has(id)) continue;
    // `scored` is best first, so this is the document's best unit.
    byDocument.set(id, judge(entry));
    yield;
  }
  return { question, candidates, scored, judge, constraints, byDocument };
}
