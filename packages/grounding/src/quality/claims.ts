import { detectLanguage, extractTerms, lineSpans, type Span, sliceSpan, splitSentences } from '@lectern/text';
import { findMarkers } from '#citations/markers';
import type { CitationEvent } from '#citations/reply-event';

/** A sentence of the reply that makes a claim. */
export interface Claim {
  /** Its words without markers. */
  readonly text: string;
  /** The markers of citations that span it, and the markers in it or right after it. */
  readonly markers: readonly number[];
}

/** A sentence with fewer content words makes no claim that can be checked. */
const MIN_TERMS = 3;
/** A sentence that introduces quotes: "According to …:", "In short:". */
export const LEAD_IN = /[:：]\s*$/;
/** A Markdown heading, or a bold title on its own line. */
const HEADING = /^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$)/;
const BULLET = /^[\s>*+-]+|^\s*\d+[.)]\s+/;

/**
 * Returns the claims of a reply, in order, without headings, questions, lead-ins that end in a
 * colon, and fragments.
 */
export function claimsOf(reply: string, citations: readonly CitationEvent[]): Claim[] {
  const markers = findMarkers(reply, citations);
  const language = detectLanguage(reply);
  // Markers become blanks of the same length, so that offsets stay valid.
  const bare = markers.reduce(
    (text, { start, end }) => text.slice(0, start) + ' '.repeat(end - start) + text.slice(end),
    reply,
  );
  const lines = lineSpans(bare).filter((line) => !HEADING.test(sliceSpan(bare, line)));
  return lines.flatMap((line) => {
    const sentences = [...splitSentences(bare, line)];
    return sentences.flatMap((sentence, at) => {
      const text = sliceSpan(bare, sentence).replace(/\s+/g, ' ').replace(BULLET, '').trim();
      if (LEAD_IN.test(text) || /\?$/.test(text) || extractTerms(text, language).length < MIN_TERMS) return [];
      const until = sentences[at + 1]?.start ?? line.end;
      const close = markers.filter(({ start }) => start >= sentence.start && start < until);
      const spanning = citations.filter((citation) => overlaps(citation, sentence));
      return [{ text, markers: [...new Set([...close, ...spanning].map(({ marker }) => marker))] }];
    });
  });
}

function overlaps({ textStart, textEnd }: CitationEvent, sentence: Span): boolean {
  return textStart < sentence.end && textEnd > sentence.start;
}
