import type { ReviewedReply, Violation } from '#quality/quality-rule';
import { QUALITY_RULES } from '#quality/quality-rules';

/** Runs every quality check on a reply, without calling a model. */
export async function reviewReply(reviewed: ReviewedReply): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const { name, check } of QUALITY_RULES) {
    for (const detail of await check(reviewed)) violations.push({ rule: name, detail });
  }
  return violations;
}
