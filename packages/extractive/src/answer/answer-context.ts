import type { Candidate, Judge, Question, ScoredCandidate } from '@lectern/grounding';
import type { ReplyWriter } from '#compose/reply-writer';
import type { Phrases } from '#phrases';

/** What every way of answering works with. */
export interface AnswerContext {
  readonly question: Question;
  readonly candidates: readonly Candidate[];
  /** The candidates by how well they answer, best first. */
  readonly scored: readonly ScoredCandidate[];
  /** How probable it is that one of them answers. */
  readonly judge: Judge;
  readonly phrases: Phrases;
  readonly reply: ReplyWriter;
}

/** Writes an answer of one shape into the reply. */
export type AnswerShape = (context: AnswerContext) => void | Promise<void>;
