import { detectLanguage, extractTerms } from '@lectern/text';
import { findMarkers } from '#citations/markers';
import { citedPassage, citedText } from '#quality/cited-text';
import { claimsOf } from '#quality/claims';
import { needlessRefusal } from '#quality/needless-refusal';
import type { QualityRule } from '#quality/quality-rule';
import { isRefusal } from '#quality/refusal';
import { wrongLanguage } from '#quality/wrong-language';

const FIGURE = /\p{N}+(?:[.,:]\p{N}+)*/gu;

/** Nothing was said at all. */
const emptyReply: QualityRule = {
  name: 'empty_reply',
  severity: 1,
  check: ({ reply }) => (reply.trim() === '' ? ['The reply has no text.'] : []),
};

/** The model was cut off at its token limit, so the end of the reply is missing. */
const truncated: QualityRule = {
  name: 'truncated',
  severity: 0.5,
  check: ({ stopReason }) => (stopReason === 'max_tokens' ? ['The reply was cut at the token limit.'] : []),
};

/** A citation to nothing: a marker that no citation stands behind. */
const danglingMarker: QualityRule = {
  name: 'dangling_marker',
  severity: 0.5,
  check: ({ reply, citations }) => {
    const known = new Set(citations.map(({ marker }) => marker));
    const dangling = findMarkers(reply).filter(({ marker }) => !known.has(marker));
    return dangling.map(({ marker }) => `Nothing is cited under [${marker}].`);
  },
};

/** A quote that does not stand, letter by letter, in the passage it is said to come from. */
const unsupportedQuote: QualityRule = {
  name: 'unsupported_quote',
  severity: 0.5,
  check: ({ citations, sources }) =>
    citations
      .filter((citation) => !citedPassage(citation, sources)?.includes(citation.quote))
      .map(({ marker, quote }) => `[${marker}] does not say "${quote}".`),
};

/**
 * A sentence that states something (`claimsOf`) with no source named for it. Small talk and refusals need none, nor what an agent has from its
 * tools, nor anything that it says without having seen a document.
 */
const uncitedClaim: QualityRule = {
  name: 'uncited_claim',
  severity: 0.2,
  check: ({ reply, citations, sources, shape, material }) => {
    if (shape === 'conversational' || isRefusal(reply)) return [];
    if (material !== undefined && sources.length === 0) return [];
    const uncited = claimsOf(reply, citations).filter(
      ({ text, markers }) => markers.length === 0 && !restsOn(text, material),
    );
    return uncited.map(({ text }) => `No source is given for "${text}".`);
  },
};

/** A figure in a claim that neither the passages it cites, nor their titles, nor the question have. */
const unsupportedNumber: QualityRule = {
  name: 'unsupported_number',
  severity: 0.4,
  check: ({ question, reply, citations, sources, material = '' }) => {
    const given = new Set(`${question}\n${material}`.match(FIGURE) ?? []);
    return claimsOf(reply, citations).flatMap(({ text, markers }) => {
      if (markers.length === 0) return [];
      const cited = new Set(citedText(markers, citations, sources).match(FIGURE) ?? []);
      const foreign = (text.match(FIGURE) ?? []).filter((figure) => !cited.has(figure) && !given.has(figure));
      return foreign.map((figure) => `${figure} in "${text}" does not stand in what it cites.`);
    });
  },
};

/** Whether a statement repeats what tools gave back: a figure of it, or most of its words. */
function restsOn(claim: string, material: string | undefined): boolean {
  if (material === undefined) return false;
  const given = new Set(material.match(FIGURE) ?? []);
  if (claim.match(FIGURE)?.some((figure) => given.has(figure))) return true;
  const language = detectLanguage(claim);
  const known = new Set(extractTerms(material, language));
  const terms = extractTerms(claim, language);
  return terms.filter((term) => known.has(term)).length > terms.length / 2;
}

/** The checks a reply goes through. A new one is one more entry. */
export const QUALITY_RULES: readonly QualityRule[] = [
  emptyReply,
  truncated,
  danglingMarker,
  unsupportedQuote,
  uncitedClaim,
  unsupportedNumber,
  wrongLanguage,
  needlessRefusal,
];
