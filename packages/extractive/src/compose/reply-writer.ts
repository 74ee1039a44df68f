import type { CitationEvent } from '@lectern/grounding';
import { type Candidate, createCitationLedger } from '@lectern/grounding';
import { displayText, displayUnit } from '#compose/display-unit';

/** A part of a reply: text, which can be cut between words unless it is `whole`, or a citation. */
export type ReplyPiece =
  | { readonly type: 'text'; readonly text: string; readonly whole: boolean }
  | { readonly type: 'citation'; readonly citation: CitationEvent };

/** Builds a reply from phrases and quotes, with markers, citations and offsets. */
export interface ReplyWriter {
  /** Adds text without a source. */
  write(text: string): void;
  /** Adds a quote, its marker and its citation. */
  quote(candidate: Candidate): void;
  /**
   * Adds a part of the candidate's passage with its formatting, its marker and its citation.
   * `fence` is that of the code that it starts in.
   */
  quoteText(candidate: Candidate, text: string, fence?: string): void;
  pieces(): readonly ReplyPiece[];
}

/** Creates a writer for one reply. */
export function createReplyWriter(): ReplyWriter {
  const ledger = createCitationLedger();
  const pieces: ReplyPiece[] = [];
  let length = 0;
  const add = (text: string, whole: boolean): void => {
    pieces.push({ type: 'text', text, whole });
    length += text.length;
  };
  const cite = ({ source, passageIndex }: Candidate, quote: string, shown: string): void => {
    const marker = ledger.markerOf(source.id);
    const textStart = length;
    add(shown, false);
    const textEnd = length;
    add(markerAfter(shown, marker), true);
    const place = { marker, sourceId: source.id, passageIndex, quote, textStart, textEnd };
    pieces.push({ type: 'citation', citation: { type: 'citation', ...place } });
  };
  return {
    write: (text) => add(text, false),
    quote: (candidate) => cite(candidate, candidate.unit.text, displayUnit(candidate)),
    quoteText: (candidate, text, fence) => cite(candidate, text, displayText(text, fence)),
    pieces: () => pieces,
  };
}

/** Returns a marker with the white space before it: behind code or a table row, it would become a part of it. */
export function markerAfter(shown: string, marker: number): string {
  const isClosed = /(?:^|\n)[ \t]*(?:`{3,}|~{3,}|\|[^\n]*\|)$/.test(shown);
  return `${isClosed ? '\n\n' : ' '}[${marker}]`;
}
