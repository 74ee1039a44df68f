import { MIN_SUPPORT_OF_NEEDLESS_REFUSAL } from '#evidence/support-weights';
import { readEvidence } from '#judge/read-evidence';
import type { QualityRule } from '#quality/quality-rule';
import { isRefusal } from '#quality/refusal';

/** A refusal without citations, although a passage very probably answers. */
export const needlessRefusal: QualityRule = {
  name: 'needless_refusal',
  severity: 0.5,
  check: async ({ question, reply, citations, sources, shape }) => {
    if (shape === 'conversational' || citations.length > 0 || !isRefusal(reply)) return [];
    const { scored, judge } = await readEvidence(question, sources);
    const [best] = scored;
    if (best === undefined || judge(best) < MIN_SUPPORT_OF_NEEDLESS_REFUSAL) return [];
    const { source, unit } = best.candidate;
    return [`"${source.title}" contains: "${unit.text}"`];
  },
};
