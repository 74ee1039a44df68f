import type { ReplyWriter } from '#builtin/compose/reply-writer';
import type { Candidate } from '#evidence/candidates';
import type { Question } from '#evidence/question';
import type { ScoredCandidate } from '#evidence/score-candidates';
import type { Judge } from '#evidence/support';
import type { Phrases } from '#language/phrases';

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
export type AnswerShape = (context: AnswerContext) => void;
