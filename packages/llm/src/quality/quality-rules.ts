import { findMarkers } from '#citations/markers';
import { citedPassage, citedText } from '#quality/cited-text';
import { claimsOf } from '#quality/claims';
import type { QualityRule } from '#quality/quality-rule';
import { isRefusal } from '#quality/refusal';

const FIGURE = /\p{N}+(?:[.,:]\p{N}+)*/gu;

/** The checks a reply goes through. A new one is one more entry. */
export const QUALITY_RULES: readonly QualityRule[] = [
  {
    name: 'empty_reply',
    severity: 1,
    check: ({ reply }) => (reply.trim() === '' ? ['The reply has no text.'] : []),
  },
  {
    name: 'truncated',
    severity: 0.5,
    check: ({ stopReason }) => (stopReason === 'max_tokens' ? ['The reply was cut at the token limit.'] : []),
  },
  {
    name: 'dangling_marker',
    severity: 0.5,
    check: ({ reply, citations }) => {
      const known = new Set(citations.map(({ marker }) => marker));
      const dangling = findMarkers(reply).filter(({ marker }) => !known.has(marker));
      return dangling.map(({ marker }) => `Nothing is cited under [${marker}].`);
    },
  },
  {
    name: 'unsupported_quote',
    severity: 0.5,
    check: ({ citations, sources }) =>
      citations
        .filter((citation) => !citedPassage(citation, sources)?.includes(citation.quote))
        .map(({ marker, quote }) => `[${marker}] does not say "${quote}".`),
  },
  {
    name: 'uncited_claim',
    severity: 0.2,
    check: ({ reply, citations, shape }) => {
      if (shape === 'conversational' || isRefusal(reply)) return [];
      const uncited = claimsOf(reply, citations).filter(({ markers }) => markers.length === 0);
      return uncited.map(({ text }) => `No source is given for "${text}".`);
    },
  },
  {
    name: 'unsupported_number',
    severity: 0.4,
    check: ({ question, reply, citations, sources }) =>
      claimsOf(reply, citations).flatMap(({ text, markers }) => {
        if (markers.length === 0) return [];
        const allowed = new Set(`${citedText(markers, citations, sources)}\n${question}`.match(FIGURE) ?? []);
        const foreign = (text.match(FIGURE) ?? []).filter((figure) => !allowed.has(figure));
        return foreign.map((figure) => `${figure} in "${text}" does not stand in what it cites.`);
      }),
  },
];
