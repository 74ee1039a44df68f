import type { ReviewedReply, Violation } from '#quality/quality-rule';
import { QUALITY_RULES } from '#quality/quality-rules';

/** Runs every quality check over a reply. From the text alone: no model is asked. */
export function reviewReply(reviewed: ReviewedReply): Violation[] {
  return QUALITY_RULES.flatMap(({ name, check }) => check(reviewed).map((detail) => ({ rule: name, detail })));
}
