import { createStorableStream, type Span, sliceSpan, splitSentences, trimSpan } from '@lectern/text';
import { bestQuote } from '#citations/best-quote';
import type { Citable } from '#citations/citable';
import type { CitationLedger } from '#citations/citation-ledger';
import type { ReplyEvent } from '#citations/reply-event';
import { createMarkerSplitter } from '#citations/split-markers';

/** A passage that a reply rests on, with the words of it where the provider named them. */
export interface Support {
  readonly citable: Citable;
  readonly quote?: string;
}

/** A reply's text in the making: made fit to be stored, markers renumbered by document, citations with their offsets. */
export interface ReplyText {
  /** Adds text of the model. Markers in it are looked up in what it was given; those that point nowhere are left out. */
  say(delta: string): ReplyEvent[];
  /** Begins a stretch whose support is told at its end. */
  beginClaim(): ReplyEvent[];
  /** Ends the stretch with its markers, before any blanks at its end. */
  endClaim(supports: readonly Support[]): ReplyEvent[];
  /** What was held back. */
  end(): ReplyEvent[];
  /** All text so far. */
  text(): string;
}

/** `lookUp` says what a number means that the model wrote in brackets; `keep` leaves such numbers as they are. */
export function createReplyText(
  ledger: CitationLedger,
  lookUp: ((number: number) => Citable | undefined) | 'keep',
): ReplyText {
  const storable = createStorableStream();
  const splitter = createMarkerSplitter();
  let written = '';
  let blanks = '';
  let claimStart: number | undefined;
  /** The stretch that was last cited, where its markers end, and which stand there side by side. */
  let cited: Span = { start: 0, end: 0 };
  let afterMarkers = 0;
  let beside = new Set<number>();

  const write = (text: string): ReplyEvent[] => {
    if (text === '') return [];
    written += text;
    return [{ type: 'text', delta: text }];
  };
  /** Blanks wait, so that the markers of a claim can stand before them. */
  const writeText = (text: string): ReplyEvent[] => {
    const all = blanks + text;
    const kept = all.trimEnd();
    blanks = all.slice(kept.length);
    return write(kept);
  };
  /** The sentence that a marker at this place speaks of; where it stands beside another, that one's. */
  const sentenceHere = (): Span => {
    if (written.length === afterMarkers && beside.size > 0) return cited;
    const sentence = [...splitSentences(written, { start: afterMarkers, end: written.length })].at(-1);
    return { start: sentence?.start ?? afterMarkers, end: written.length };
  };
  const cite = (blank: string, supports: readonly Support[], claim: Span): ReplyEvent[] => {
    if (written.length > afterMarkers) beside = new Set();
    cited = claim;
    const numbered = supports.map((support) => ({ ...support, marker: ledger.markerOf(support.citable.source.id) }));
    const fresh = new Set(numbered.map(({ marker }) => marker).filter((marker) => !beside.has(marker)));
    for (const marker of fresh) beside.add(marker);
    const words = sliceSpan(written, claim);
    const events = fresh.size === 0 ? [] : write(blank + [...fresh].map((marker) => `[${marker}]`).join(''));
    afterMarkers = written.length;
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
      if (piece.type === 'text') return writeText(piece.text);
      if (lookUp === 'keep') return writeText(piece.text);
      const found = piece.numbers.map(lookUp).filter((citable) => citable !== undefined);
      if (found.length === 0) return [];
      const supports = found.map((citable) => ({ citable }));
      // On a line of its own it does not stand beside the marker before.
      const events = blanks.includes('\n') ? write(blanks) : [];
      const blank = events.length > 0 ? piece.blank : blanks + piece.blank;
      blanks = '';
      return [...events, ...cite(blank, supports, sentenceHere())];
    });

  const rest = (): ReplyEvent[] => [...pieces(splitter.push(storable.end())), ...pieces(splitter.end())];

  return {
    say: (delta) => pieces(splitter.push(storable.push(delta))),
    beginClaim() {
      const events = rest();
      events.push(...write(blanks));
      blanks = '';
      claimStart = written.length;
      return events;
    },
    endClaim(supports) {
      const events = rest();
      const claim = trimSpan(written, { start: claimStart ?? written.length, end: written.length });
      claimStart = undefined;
      if (supports.length > 0) events.push(...cite(claim.end > claim.start ? ' ' : '', supports, claim));
      return events;
    },
    end() {
      const events = [...rest(), ...write(blanks)];
      blanks = '';
      return events;
    },
    text: () => written,
  };
}
