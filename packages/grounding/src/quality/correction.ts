import type { CitationEvent, StopReason } from '#citations/reply-event';
import type { RuleName, Violation } from '#quality/quality-rule';
import { violationFree } from '#quality/violation-free';

/** Separates a reply from its correction. */
export const CORRECTION_DIVIDER = '\n\n---\n\n';

/**
 * Rules whose violation makes a reply false or empty. A correction must not violate any of them.
 */
const FALSE_OR_EMPTY: ReadonlySet<RuleName> = new Set<RuleName>([
  'empty_reply',
  'dangling_marker',
  'unsupported_quote',
  'unsupported_number',
]);

/** The parts of a correction that decide whether it is shown. */
export interface CorrectionOutcome {
  readonly stopReason: StopReason;
  readonly toolCalls: readonly unknown[];
}

/**
 * Returns whether a correction is better than the reply: it is complete, calls no tool and violates
 * fewer rules, none of which make it false.
 */
export function correctionHolds(
  { stopReason, toolCalls }: CorrectionOutcome,
  violations: readonly Violation[],
  before: readonly Violation[],
): boolean {
  if (stopReason !== 'end' || toolCalls.length > 0) return false;
  return violationFree(violations) > violationFree(before) && !violations.some(({ rule }) => FALSE_OR_EMPTY.has(rule));
}

/**
 * Shifts citations of a correction by `offset` UTF-16 units, the length of the text that precedes
 * it.
 */
export function moveCitations(citations: readonly CitationEvent[], offset: number): CitationEvent[] {
  return citations.map((citation) => ({
    ...citation,
    textStart: citation.textStart + offset,
    textEnd: citation.textEnd + offset,
  }));
}
