import { detectLanguage, extractTerms } from '@lectern/text';
import { findMarkers } from '#citations/markers';
import { citedPassage, citedText } from '#quality/cited-text';
import { claimsOf } from '#quality/claims';
import { needlessRefusal } from '#quality/needless-refusal';
import type { QualityRule } from '#quality/quality-rule';
import { isRefusal } from '#quality/refusal';
import { wrongLanguage } from '#quality/wrong-language';

const NUMBER = /\p{N}+(?:[.,:]\p{N}+)*/gu;

/** The reply is empty. */
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

/** A marker without a citation. */
const danglingMarker: QualityRule = {
  name: 'dangling_marker',
  severity: 0.5,
  check: ({ reply, citations }) => {
    const known = new Set(citations.map(({ marker }) => marker));
    const dangling = findMarkers(reply, citations).filter(({ marker }) => !known.has(marker));
    return dangling.map(({ marker }) => `Nothing is cited under [${marker}].`);
  },
};

/** A quote that is not verbatim in its passage. */
const unsupportedQuote: QualityRule = {
  name: 'unsupported_quote',
  severity: 0.5,
  check: ({ citations, sources }) =>
    citations
      .filter((citation) => !citedPassage(citation, sources)?.includes(citation.quote))
      .map(({ marker, quote }) => `[${marker}] does not contain "${quote}".`),
};

/**
 * A claim without a citation. Small talk, refusals, claims from an agent's tool results, and agent
 * answers without any documents need none.
 */
const uncitedClaim: QualityRule = {
  name: 'uncited_claim',
  severity: 0.2,
  check: ({ reply, citations, sources, shape, material }) => {
    if (shape === 'conversational' || isRefusal(reply, citations)) return [];
    if (material !== undefined && sources.length === 0) return [];
    const uncited = claimsOf(reply, citations).filter(
      ({ text, markers }) => markers.length === 0 && !repeats(text, material),
    );
    return uncited.map(({ text }) => `No source is given for "${text}".`);
  },
};

/** A number in a claim that is not in the cited passages, their titles or the question. */
const unsupportedNumber: QualityRule = {
  name: 'unsupported_number',
  severity: 0.4,
  check: ({ question, reply, citations, sources, material = '' }) => {
    const allowedNumbers = new Set(`${question}\n${material}`.match(NUMBER) ?? []);
    return claimsOf(reply, citations).flatMap(({ text, markers }) => {
      if (markers.length === 0) return [];
      const cited = new Set(citedText(markers, citations, sources).match(NUMBER) ?? []);
      const unsupported = (text.match(NUMBER) ?? []).filter(
        (number) => !cited.has(number) && !allowedNumbers.has(number),
      );
      return unsupported.map((number) => `${number} in "${text}" is not in the cited sources.`);
    });
  },
};

/** Returns whether a claim repeats a number or most of the words of tool results. */
function repeats(claim: string, material: string | undefined): boolean {
  if (material === undefined) return false;
  const materialNumbers = new Set(material.match(NUMBER) ?? []);
  if (claim.match(NUMBER)?.some((number) => materialNumbers.has(number))) return true;
  const language = detectLanguage(claim);
  const known = new Set(extractTerms(material, language));
  const terms = extractTerms(claim, language);
  return terms.filter((term) => known.has(term)).length > terms.length / 2;
}

/** All checks of a reply. */
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
