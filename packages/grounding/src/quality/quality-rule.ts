import type { CitationEvent, StopReason } from '#citations/reply-event';
import type { SourceDocument } from '#citations/source-document';
import type { QueryShape } from '#shape/query-shape';

/** What a finished reply is checked on. */
export interface ReviewedReply {
  readonly question: string;
  readonly reply: string;
  readonly citations: readonly CitationEvent[];
  readonly sources: readonly SourceDocument[];
  readonly shape: QueryShape;
  readonly stopReason: StopReason;
  /** Of an agent's answer: what tools gave back that is no document. Statements that rest on it, and its figures, need no source. */
  readonly material?: string;
}

/** Names of the checks, as they are stored and shown. */
export type RuleName =
  | 'empty_reply'
  | 'truncated'
  | 'dangling_marker'
  | 'unsupported_quote'
  | 'uncited_claim'
  | 'unsupported_number'
  | 'wrong_language'
  | 'needless_refusal';

export interface Violation {
  readonly rule: RuleName;
  /** What exactly is wrong, for a log or a repair prompt. Holds words of the reply. */
  readonly detail: string;
}

/** One check: what of a kind is wrong with a reply, nothing when all is well. */
export interface QualityRule {
  readonly name: RuleName;
  /** What one violation takes off the violation-free signal, 0 to 1. */
  readonly severity: number;
  readonly check: (reviewed: ReviewedReply) => readonly string[] | Promise<readonly string[]>;
}
