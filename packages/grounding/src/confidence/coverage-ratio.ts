import { detectLanguage, extractTerms } from '@lectern/text';
import { answerState } from '#confidence/answered';
import type { SourceSupport } from '#confidence/cited-support';
import { trustIn } from '#confidence/trust-in';
import { citedText } from '#quality/cited-text';
import { claimsOf } from '#quality/claims';
import type { ReviewedReply } from '#quality/quality-rule';

/** What a quote counts that is called the closest passage and no answer: its order is kept, and the reply stays `low`. */
const OF_THE_CLOSEST = 0.26;

/**
 * How well the reply is covered by what it cites: trust in the support × grounding.
 * - support: probability that the best cited unit answers the question, judged from the texts alone (`evidence/support-signs.ts` says by
 *   what), spread over 0 to 1 by `trustIn`;
 * - grounding: mean over the reply's claims of the share of a claim's terms that stand in the passages it cites; an uncited claim counts 0.
 *   A reply of quotes alone has grounding 1.
 *
 * A reply that says that it found no answer has .26 × support × grounding of what it quotes all the same, at most .26; one without sources or
 * citations 0; small talk, which needs no source, 1.
 */
export function coverageRatio(reviewed: ReviewedReply, support: SourceSupport): number {
  const state = answerState(reviewed);
  if (state === 'needs_none') return 1;
  const trust = state === 'answered' ? trustIn(support.cited) : OF_THE_CLOSEST * support.cited;
  return trust * grounding(reviewed);
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
