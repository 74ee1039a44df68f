import { listCandidates } from '#evidence/candidates';
import { readQuestion } from '#evidence/question';
import { questionLanguage } from '#evidence/question-language';
import { scoreCandidates } from '#evidence/score-candidates';
import { createJudge } from '#evidence/support';
import { PLAIN_FROM } from '#evidence/support-weights';
import type { QualityRule } from '#quality/quality-rule';
import { isRefusal } from '#quality/refusal';

/** A reply that says it found no answer and points to nothing, though a passage it was given very probably answers. */
export const needlessRefusal: QualityRule = {
  name: 'needless_refusal',
  severity: 0.5,
  check: ({ question, reply, citations, sources, shape }) => {
    if (shape === 'conversational' || citations.length > 0 || !isRefusal(reply)) return [];
    const asked = readQuestion(question, questionLanguage(question, sources));
    const scored = scoreCandidates(asked, listCandidates(sources, asked.language));
    const [best] = scored;
    if (best === undefined || createJudge(asked, scored)(best) < PLAIN_FROM) return [];
    const { source, unit } = best.candidate;
    return [`"${source.title}" says: "${unit.text}"`];
  },
};
