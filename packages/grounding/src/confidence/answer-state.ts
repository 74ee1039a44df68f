import type { ReviewedReply } from '#quality/quality-rule';
import { isRefusal } from '#quality/refusal';

/**
 * `needs_none`: small talk without claims; `unanswered`: no sources, no citations, or a refusal;
 * `answered`: supported by sources.
 */
export type AnswerState = 'needs_none' | 'unanswered' | 'answered';

/**
 * Both coverage signals of small talk. With 1 instead, a reply without a source could be `high`.
 */
export const NO_SOURCE_NEEDED = 0.5;

/** Returns the state of a reply, which the coverage signals and shape confidence depend on. */
export function answerState({ reply, citations, sources, shape }: ReviewedReply): AnswerState {
  if (shape === 'conversational' && citations.length === 0 && !isRefusal(reply)) return 'needs_none';
  if (sources.length === 0 || citations.length === 0 || isRefusal(reply, citations)) return 'unanswered';
  return 'answered';
}
