import { likelyLanguages } from '@lectern/text';
import { findMarkers } from '#citations/markers';
import { citedPassage } from '#quality/cited-text';
import type { QualityRule, ReviewedReply } from '#quality/quality-rule';

/** Fewer words are in no language for certain. */
const FEWEST_WORDS = 8;

/**
 * The reply's own words are in another language than the question. Quotes stay in the language of their document and are left out, and so is
 * a reply or a question whose language is not certain.
 */
export const wrongLanguage: QualityRule = {
  name: 'wrong_language',
  severity: 0.3,
  check: (reviewed) => {
    const own = ownWords(reviewed);
    if ((own.match(/\p{L}+/gu)?.length ?? 0) < FEWEST_WORDS) return [];
    const spoken = likelyLanguages(own);
    const asked = likelyLanguages(reviewed.question);
    if (spoken.length > 1 || asked.length > 1 || spoken[0] === asked[0]) return [];
    return [`The question is in "${asked[0]}", the reply in "${spoken[0]}".`];
  },
};

/** The reply with everything blanked that stands word for word in what it cites. */
function ownWords({ reply, citations, sources }: ReviewedReply): string {
  const foreign = citations.filter((citation) => {
    const said = reply.slice(citation.textStart, citation.textEnd);
    return [citation.quote, citedPassage(citation, sources)].some((text) => squeeze(text).includes(squeeze(said)));
  });
  const spans = [...foreign.map(({ textStart, textEnd }) => [textStart, textEnd] as const)];
  for (const { start, end } of findMarkers(reply)) spans.push([start, end]);
  return spans.reduce((text, [start, end]) => text.slice(0, start) + ' '.repeat(end - start) + text.slice(end), reply);
}

const squeeze = (text = ''): string => text.replace(/[\s|*_`]+/g, ' ').trim();
