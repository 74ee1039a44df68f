import { detectLanguage, extractTerms } from '@lectern/text';
import { answerState, NO_SOURCE_NEEDED } from '#confidence/answer-state';
import type { SourceSupport } from '#confidence/cited-support';
import { rescaleSupport } from '#confidence/rescale-support';
import { SIGNAL_WEIGHTS } from '#confidence/weights';
import { citedText } from '#quality/cited-text';
import { claimsOf } from '#quality/claims';
import type { ReviewedReply } from '#quality/quality-rule';

/** The weight of this signal in the score, which is the only one of a refusal that quotes. */
const WEIGHT = SIGNAL_WEIGHTS.coverageRatio;
/** The highest score of a refusal that quotes the closest passage, which stays `low`. */
const MAX_REFUSAL = 0.35;

/**
 * Returns how well the citations cover the reply: rescaled support × grounding.
 * - support: the probability that the best cited unit answers the question, judged from the texts
 *   (see `evidence/support-features.ts`) and rescaled to 0–1 by `rescaleSupport`
 * - grounding: the share of a claim's terms that the cited passages contain, averaged over the
 *   claims; 0 for an uncited claim, 1 for a reply that only quotes
 *
 * A refusal that quotes has twice the support, up to .7, so that its score is about the support; a
 * reply without sources or citations has 0; small talk, which needs no source, has .5.
 */
export function coverageRatio(reviewed: ReviewedReply, support: SourceSupport): number {
  const state = answerState(reviewed);
  if (state === 'needs_none') return NO_SOURCE_NEEDED;
  if (state === 'unanswered') return Math.min(MAX_REFUSAL, support.cited) / WEIGHT;
  return rescaleSupport(support.cited) * grounding(reviewed);
}

function grounding({ reply, citations, sources }: ReviewedReply): number {
  const claims = claimsOf(reply, citations);
  if (claims.length === 0) return 1;
  const shares = claims.map(({ text, markers }) => {
    const language = detectLanguage(text);
    const terms = extractTerms(text, language);
    const cited = new Set(extractTerms(citedText(markers, citations, sources), language));
    return terms.filter((term) => cited.has(term)).length / Math.max(1, terms.length);
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
