import { detectLanguage, extractTerms, lineSpans, type Span, sliceSpan, splitSentences } from '@lectern/text';
import { findMarkers } from '#citations/markers';
import type { CitationEvent } from '#citations/reply-event';

/** A sentence of the reply that states something. */
export interface Claim {
  /** Its words without markers. */
  readonly text: string;
  /** The markers it rests on: those of citations that span it, and those in it or right after it. */
  readonly markers: readonly number[];
}

/** Fewer content words than this state nothing that could be checked. */
const FEWEST_TERMS = 3;
/** A sentence that hands over to quotes: "According to …:", "In short:". */
const HANDS_OVER = /:\s*$/;
/** A Markdown heading, or a title that stands in bold on its own line. */
const HEADING = /^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$)/;
const BULLET = /^[\s>*+-]+|^\s*\d+[.)]\s+/;

/** The claims of a reply, in order. Headings, questions, introductions that end in a colon and scraps are none. */
export function claimsOf(reply: string, citations: readonly CitationEvent[]): Claim[] {
  const markers = findMarkers(reply);
  const language = detectLanguage(reply);
  // Markers become blanks of the same length, so offsets still hold.
  const bare = markers.reduce(
    (text, { start, end }) => text.slice(0, start) + ' '.repeat(end - start) + text.slice(end),
    reply,
  );
  const lines = lineSpans(bare).filter((line) => !HEADING.test(sliceSpan(bare, line)));
  return lines.flatMap((line) => {
    const sentences = [...splitSentences(bare, line)];
    return sentences.flatMap((sentence, at) => {
      const text = sliceSpan(bare, sentence).replace(/\s+/g, ' ').replace(BULLET, '').trim();
      if (HANDS_OVER.test(text) || /\?$/.test(text) || extractTerms(text, language).length < FEWEST_TERMS) return [];
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
