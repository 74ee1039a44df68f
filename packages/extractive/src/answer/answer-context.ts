import type { Candidate, Judge, Question, ScoredCandidate } from '@lectern/grounding';
import type { ReplyWriter } from '#compose/reply-writer';
import type { Phrases } from '#phrases';

/** The input of every answer function. */
export interface AnswerContext {
  readonly question: Question;
  readonly candidates: readonly Candidate[];
  /** The candidates, best first. */
  readonly scored: readonly ScoredCandidate[];
  /** Returns the probability that a candidate answers. */
  readonly judge: Judge;
  readonly phrases: Phrases;
  readonly reply: ReplyWriter;
}

/** Writes an answer of one shape into the reply. */
export type AnswerShape = (context: AnswerContext) => void | Promise<void>;
