import type { CitationEvent } from '@lectern/grounding';
import { type Candidate, createCitationLedger } from '@lectern/grounding';
import { displayUnit } from '#compose/display-unit';

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
  return {
    write: (text) => add(text, false),
    quote(candidate) {
      const { unit, source, passageIndex } = candidate;
      const marker = ledger.markerOf(source.id);
      const textStart = length;
      add(displayUnit(candidate), false);
      const textEnd = length;
      add(` [${marker}]`, true);
      const place = { marker, sourceId: source.id, passageIndex, quote: unit.text, textStart, textEnd };
      pieces.push({ type: 'citation', citation: { type: 'citation', ...place } });
    },
    pieces: () => pieces,
  };
}
