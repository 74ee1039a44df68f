import type { CitationEvent } from '@lectern/grounding';
import { type Candidate, createCitationLedger } from '@lectern/grounding';
import { displayUnit } from '#compose/display-unit';

/** A reply in the making: text that may be cut between words, text that may not, and citations where they stand. */
export type ReplyPiece =
  | { readonly type: 'text'; readonly text: string; readonly whole: boolean }
  | { readonly type: 'citation'; readonly citation: CitationEvent };

/** Builds a reply from the model's own phrases and from quotes, keeping markers, citations and offsets in step. */
export interface ReplyWriter {
  /** Adds words of the model's own, with no source. */
  say(text: string): void;
  /** Adds a quote, its marker and its citation. */
  quote(candidate: Candidate): void;
  pieces(): readonly ReplyPiece[];
}

/** A writer for one reply. */
export function createReplyWriter(): ReplyWriter {
  const ledger = createCitationLedger();
  const pieces: ReplyPiece[] = [];
  let length = 0;
  const add = (text: string, whole: boolean): void => {
    pieces.push({ type: 'text', text, whole });
    length += text.length;
  };
  return {
    say: (text) => add(text, false),
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
