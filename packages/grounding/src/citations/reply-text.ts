import { createStorableStream, type Span, sliceSpan, splitSentences, trimSpan } from '@lectern/text';
import { bestQuote } from '#citations/best-quote';
import type { Citable } from '#citations/citable';
import type { CitationLedger } from '#citations/citation-ledger';
import { createMarkerSplitter } from '#citations/marker-splitter';
import type { ReplyEvent } from '#citations/reply-event';

/** A passage that supports a claim, with the quote if the provider named one. */
export interface Support {
  readonly citable: Citable;
  readonly quote?: string;
}

/**
 * Builds the text of a reply: makes it storable, numbers markers by document, and adds citations
 * with offsets.
 */
export interface ReplyText {
  /** Adds text from the model. Markers without a passage are removed. */
  write(delta: string): ReplyEvent[];
  /** Starts a claim, whose supporting passages are passed to `endClaim`. */
  beginClaim(): ReplyEvent[];
  /** Ends the claim with its markers, which precede trailing blanks. */
  endClaim(supports: readonly Support[]): ReplyEvent[];
  /** Returns the buffered text. */
  end(): ReplyEvent[];
  /** All text so far. */
  text(): string;
}

/**
 * Creates the text of one reply. `lookUp` returns the passage with a number that the model wrote in
 * brackets; `keep` leaves such numbers unchanged.
 */
export function createReplyText(
  ledger: CitationLedger,
  lookUp: ((number: number) => Citable | undefined) | 'keep',
): ReplyText {
  const storable = createStorableStream();
  const splitter = createMarkerSplitter();
  let text = '';
  let blanks = '';
  let claimStart: number | undefined;
  /** The last cited claim, the end of its markers, and the markers there. */
  let cited: Span = { start: 0, end: 0 };
  let afterMarkers = 0;
  let adjacent = new Set<number>();

  const emit = (delta: string): ReplyEvent[] => {
    if (delta === '') return [];
    text += delta;
    return [{ type: 'text', delta }];
  };
  /** Buffers trailing blanks, so that the markers of a claim can precede them. */
  const emitText = (delta: string): ReplyEvent[] => {
    const all = blanks + delta;
    const visible = all.trimEnd();
    blanks = all.slice(visible.length);
    return emit(visible);
  };
  /**
   * Returns the sentence that a marker at this position cites. An adjacent marker cites the same
   * sentence.
   */
  const sentenceHere = (): Span => {
    if (text.length === afterMarkers && adjacent.size > 0) return cited;
    const sentence = [...splitSentences(text, { start: afterMarkers, end: text.length })].at(-1);
    return { start: sentence?.start ?? afterMarkers, end: text.length };
  };
  const cite = (blank: string, supports: readonly Support[], claim: Span): ReplyEvent[] => {
    if (text.length > afterMarkers) adjacent = new Set();
    cited = claim;
    const numbered = supports.map((support) => ({ ...support, marker: ledger.markerOf(support.citable.source.id) }));
    const fresh = new Set(numbered.map(({ marker }) => marker).filter((marker) => !adjacent.has(marker)));
    for (const marker of fresh) adjacent.add(marker);
    const words = sliceSpan(text, claim);
    const events = fresh.size === 0 ? [] : emit(blank + [...fresh].map((marker) => `[${marker}]`).join(''));
    afterMarkers = text.length;
    for (const { marker, citable, quote } of numbered) {
      events.push({
        type: 'citation',
        marker,
        sourceId: citable.source.id,
        passageIndex: citable.passageIndex,
        quote: quote ?? bestQuote(citable.passage.text, words),
        textStart: claim.start,
        textEnd: claim.end,
      });
    }
    return events;
  };
  const pieces = (list: ReturnType<typeof splitter.push>): ReplyEvent[] =>
    list.flatMap((piece) => {
      if (piece.type === 'text') return emitText(piece.text);
      if (lookUp === 'keep') return emitText(piece.text);
      const found = piece.numbers.map(lookUp).filter((citable) => citable !== undefined);
      if (found.length === 0) return [];
      const supports = found.map((citable) => ({ citable }));
      // A marker on a new line is not adjacent to the one before.
      const events = blanks.includes('\n') ? emit(blanks) : [];
      const blank = events.length > 0 ? piece.blank : blanks + piece.blank;
      blanks = '';
      return [...events, ...cite(blank, supports, sentenceHere())];
    });

  const rest = (): ReplyEvent[] => [...pieces(splitter.push(storable.end())), ...pieces(splitter.end())];

  return {
    write: (delta) => pieces(splitter.push(storable.push(delta))),
    beginClaim() {
      const events = rest();
      events.push(...emit(blanks));
      blanks = '';
      claimStart = text.length;
      return events;
    },
    endClaim(supports) {
      const events = rest();
      const claim = trimSpan(text, { start: claimStart ?? text.length, end: text.length });
      claimStart = undefined;
      if (supports.length > 0) events.push(...cite(claim.end > claim.start ? ' ' : '', supports, claim));
      return events;
    },
    end() {
      const events = [...rest(), ...emit(blanks)];
      blanks = '';
      return events;
    },
    text: () => text,
  };
}
