import type { CitationEvent, StopReason } from '#citations/reply-event';
import type { SourceDocument } from '#citations/source-document';
import type { QueryShape } from '#shape/query-shape';

/** A finished reply to check. */
export interface ReviewedReply {
  readonly question: string;
  readonly reply: string;
  readonly citations: readonly CitationEvent[];
  readonly sources: readonly SourceDocument[];
  readonly shape: QueryShape;
  readonly stopReason: StopReason;
  /**
   * For an agent's answer: tool results that are not documents. Statements and numbers from them
   * need no source.
   */
  readonly material?: string;
}

/** Names of the checks, as stored and shown. */
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
  /** The problem, for a log or a correction prompt. Contains words of the reply. */
  readonly detail: string;
}

/** One check. Returns a detail for each violation. */
export interface QualityRule {
  readonly name: RuleName;
  /** The amount that one violation subtracts from the violation-free signal, 0 to 1. */
  readonly severity: number;
  readonly check: (reviewed: ReviewedReply) => readonly string[] | Promise<readonly string[]>;
}
