import { listCandidates } from '#evidence/candidates';
import { readQuestion } from '#evidence/question';
import { questionLanguage } from '#evidence/question-language';
import { scoreCandidates } from '#evidence/score-candidates';
import { createJudge } from '#evidence/support';
import type { QualityRule } from '#quality/quality-rule';
import { isRefusal } from '#quality/refusal';

/** Support from which on it is hard to believe that the sources hold no answer. */
const PLAIN = 0.95;

/** A reply that says it found no answer and points to nothing, though a passage it was given very probably answers. */
export const needlessRefusal: QualityRule = {
  name: 'needless_refusal',
  severity: 0.5,
  check: ({ question, reply, citations, sources, shape }) => {
    if (shape === 'conversational' || citations.length > 0 || !isRefusal(reply)) return [];
    const asked = readQuestion(question, questionLanguage(question, sources));
    const scored = scoreCandidates(asked, listCandidates(sources, asked.language));
    const [best] = scored;
    if (best === undefined || createJudge(asked, scored)(best) < PLAIN) return [];
    const { source, unit } = best.candidate;
    return [`"${source.title}" says: "${unit.text}"`];
  },
};
