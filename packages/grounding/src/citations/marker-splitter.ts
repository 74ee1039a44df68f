import { fenceAfter } from '@lectern/text';

/** A piece of a model's text: plain text, or a marker with the numbers it cites. */
export type MarkedPiece =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'marker';
      /** Unchanged, with the blank before it. */
      readonly text: string;
      readonly blank: string;
      readonly numbers: readonly number[];
    };

/**
 * Splits a streamed text. Text that could be the start of a marker is buffered until the next delta
 * or the end.
 */
export interface MarkerSplitter {
  push(delta: string): MarkedPiece[];
  end(): MarkedPiece[];
}

/** `[3]`, `[1, 4]`, with the blank before it. */
const MARKER = /([ \t]*)\[(\d{1,3}(?:[ \t]*,[ \t]*\d{1,3})*)\]/g;
/** Text at the end that could be the start of a marker. */
const UNDECIDED = /[ \t]*(?:\[[\d, \t]{0,40})?$/;

/**
 * Creates a splitter for one reply. Code between backticks or fences, links `[1](…)` and labels `[1]:` are
 * text.
 */
export function createMarkerSplitter(): MarkerSplitter {
  let buffer = '';
  let inBackticks = false;
  /** The open fence of tildes, and the text of the current line. */
  let fence: string | undefined;
  let line = '';
  const readCode = (text: string) => {
    const [first = '', ...others] = text.split('\n');
    countBackticks(first);
    line += first;
    for (const next of others) {
      const after = inBackticks ? fence : fenceAfter(line, fence);
      if (fence !== undefined || after?.includes('~')) fence = after;
      countBackticks(next);
      line = next;
    }
  };
  const countBackticks = (text: string) => {
    if (fence === undefined && text.split('`').length % 2 === 0) inBackticks = !inBackticks;
  };
  const split = (final: boolean): MarkedPiece[] => {
    const pieces: MarkedPiece[] = [];
    let at = 0;
    const addText = (text: string) => {
      if (text === '') return;
      readCode(text);
      const last = pieces.at(-1);
      if (last?.type === 'text') pieces[pieces.length - 1] = { type: 'text', text: last.text + text };
      else pieces.push({ type: 'text', text });
    };
    let keepFrom = final ? buffer.length : buffer.search(UNDECIDED);
    for (const match of buffer.matchAll(MARKER)) {
      const end = match.index + match[0].length;
      if (end === buffer.length && !final) {
        keepFrom = Math.min(keepFrom, match.index);
        break;
      }
      addText(buffer.slice(at, match.index));
      at = end;
      const [whole, blank = '', numbers = ''] = match;
      if (inBackticks || fence !== undefined || buffer[end] === '(' || buffer[end] === ':') addText(whole);
      else pieces.push({ type: 'marker', text: whole, blank, numbers: numbers.split(',').map(Number) });
    }
    keepFrom = Math.max(at, keepFrom);
    addText(buffer.slice(at, keepFrom));
    buffer = buffer.slice(keepFrom);
    return pieces;
  };
  return {
    push(delta) {
      buffer += delta;
      return split(false);
    },
    end: () => split(true),
  };
}
