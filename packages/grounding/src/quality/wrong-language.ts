import { likelyLanguages } from '@lectern/text';
import { findMarkers } from '#citations/markers';
import { citedPassage, squeeze } from '#quality/cited-text';
import type { QualityRule, ReviewedReply } from '#quality/quality-rule';

/** The language of shorter texts is not certain. */
const MIN_WORDS = 8;

/**
 * The reply is in a different language than the question. Quotes, which keep the language of their
 * document, are not considered. Passes if either language is not certain.
 */
export const wrongLanguage: QualityRule = {
  name: 'wrong_language',
  severity: 0.3,
  check: (reviewed) => {
    const text = unquotedText(reviewed);
    if ((text.match(/\p{L}+/gu)?.length ?? 0) < MIN_WORDS) return [];
    const replyLanguages = likelyLanguages(text);
    const questionLanguages = likelyLanguages(reviewed.question);
    if (replyLanguages.length > 1 || questionLanguages.length > 1 || replyLanguages[0] === questionLanguages[0])
      return [];
    return [`The question is in "${questionLanguages[0]}", the reply in "${replyLanguages[0]}".`];
  },
};

/** Returns the reply with blanks instead of markers and of text that is verbatim in its sources. */
function unquotedText({ reply, citations, sources }: ReviewedReply): string {
  const quoted = citations.filter((citation) => {
    const cited = reply.slice(citation.textStart, citation.textEnd);
    return [citation.quote, citedPassage(citation, sources)].some((text) => squeeze(text).includes(squeeze(cited)));
  });
  const spans = [...quoted.map(({ textStart, textEnd }) => [textStart, textEnd] as const)];
  for (const { start, end } of findMarkers(reply)) spans.push([start, end]);
  return spans.reduce((text, [start, end]) => text.slice(0, start) + ' '.repeat(end - start) + text.slice(end), reply);
}
