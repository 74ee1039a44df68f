import { extractTerms } from '@lectern/embeddings';
import { findMarkers, withoutMarkers } from '#citations/markers';
import { splitSentences } from '#text/sentences';
import { type Span, sliceSpan } from '#text/span';

/** A sentence of the reply that states something. */
export interface Claim {
  /** Its words without markers. */
  readonly text: string;
  /** The numbers of the markers that stand in it or right after it. */
  readonly markers: readonly number[];
}

/** Fewer content words than this state nothing that could be checked. */
const FEWEST_TERMS = 3;
/** A sentence that hands over to quotes: "According to …:", "In short:". */
const HANDS_OVER = /:\s*$/;

/** The claims of a reply, in order. Headings, questions, introductions that end in a colon and scraps are none. */
export function claimsOf(reply: string): Claim[] {
  const claims: Claim[] = [];
  for (const line of reply.split('\n')) {
    if (/^\s*#{1,6}\s/.test(line)) continue;
    for (const { text, markers } of markedSentences(line)) {
      const words = withoutMarkers(text)
        .replace(/^[\s>*+-]+|^\s*\d+[.)]\s+/g, '')
        .trim();
      if (HANDS_OVER.test(words) || /\?$/.test(words) || extractTerms(words).length < FEWEST_TERMS) continue;
      claims.push({ text: words, markers });
    }
  }
  return claims;
}

/** Sentences of a line with the markers that belong to them: markers after a full stop belong to the sentence before. */
function markedSentences(line: string): { text: string; markers: number[] }[] {
  const found = findMarkers(line);
  if (found.length === 0) return splitSentences(line).map((span) => ({ text: sliceSpan(line, span), markers: [] }));
  const sentences: { text: string; markers: number[] }[] = [];
  let from = 0;
  for (const [at, { marker, start, end }] of found.entries()) {
    const between = line.slice(from, start);
    const spans: Span[] = splitSentences(between);
    for (const span of spans) sentences.push({ text: sliceSpan(between, span), markers: [] });
    const last = sentences.at(-1);
    if (last) last.markers.push(marker);
    from = end;
    if (at === found.length - 1) {
      const rest = line.slice(end);
      for (const span of splitSentences(rest)) sentences.push({ text: sliceSpan(rest, span), markers: [] });
    }
  }
  return sentences;
}
