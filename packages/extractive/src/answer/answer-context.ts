import type {
  Candidate,
  ConstraintCheck,
  IndexingState,
  Question,
  ReplyPhrases,
  ScoredCandidate,
} from '@lectern/grounding';
import type { ReplyWriter } from '#compose/reply-writer';
import type { Verdict } from '#judge-best';

/** The input of every answer function. */
export interface AnswerContext {
  readonly question: Question;
  readonly candidates: readonly Candidate[];
  /** The candidates, best first. */
  readonly scored: readonly ScoredCandidate[];
  /** How to use the best candidate. */
  readonly verdict: Verdict;
  /** Returns what the question names and an answer from a candidate would lack. */
  readonly missingFrom: ConstraintCheck['missingFrom'];
  readonly phrases: ReplyPhrases;
  /** What the caller can search, if that is known. */
  readonly indexing: IndexingState | undefined;
  readonly reply: ReplyWriter;
  /** The limit of the reply. */
  readonly maxTokens: number;
}

/** Writes an answer of one shape into the reply. */
export type AnswerShape = (context: AnswerContext) => void | Promise<void>;
