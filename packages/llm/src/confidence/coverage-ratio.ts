import { detectLanguage, extractTerms } from '@lectern/embeddings';
import { answerState } from '#confidence/answered';
import type { SourceSupport } from '#confidence/cited-support';
import { citedText } from '#quality/cited-text';
import { claimsOf } from '#quality/claims';
import type { ReviewedReply } from '#quality/quality-rule';

/**
 * How well the reply is covered by what it cites: support × grounding.
 * - support: probability that the best cited passage answers the question (terms of the question found there, weighted by rarity, and
 *   whether it holds the kind of thing asked for);
 * - grounding: mean over the reply's claims of the share of a claim's terms that stand in the passages it cites; an uncited claim counts 0.
 *   A reply of quotes alone has grounding 1.
 *
 * 0 where the reply is unanswered (no sources, no citation, or it says that it found no answer), 1 for small talk, which needs no source.
 */
export function coverageRatio(reviewed: ReviewedReply, support: SourceSupport): number {
  const state = answerState(reviewed);
  if (state !== 'answered') return state === 'needs_none' ? 1 : 0;
  return support.cited * grounding(reviewed);
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
