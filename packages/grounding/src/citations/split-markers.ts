/** A stretch of a model's text: plain, or numbers in brackets that the model means as citations. */
export type MarkedPiece =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'marker';
      /** As it stands, with the blank before it. */
      readonly text: string;
      readonly blank: string;
      readonly numbers: readonly number[];
    };

/** Takes a streamed text apart. What may yet become a marker is held back until the next piece, or the end, tells. */
export interface MarkerSplitter {
  push(delta: string): MarkedPiece[];
  end(): MarkedPiece[];
}

/** `[3]`, `[1, 4]`, with the blank before it. */
const MARKER = /([ \t]*)\[(\d{1,3}(?:[ \t]*,[ \t]*\d{1,3})*)\]/g;
/** The end of a text that the beginning of a marker may be. */
const UNDECIDED = /[ \t]*(?:\[[\d, \t]{0,40})?$/;

/** A splitter for one reply. Code between backticks, links `[1](…)` and reference labels `[1]:` are text. */
export function createMarkerSplitter(): MarkerSplitter {
  let held = '';
  let inCode = false;
  const split = (final: boolean): MarkedPiece[] => {
    const pieces: MarkedPiece[] = [];
    let at = 0;
    const say = (text: string) => {
      if (text === '') return;
      if (text.split('`').length % 2 === 0) inCode = !inCode;
      const last = pieces.at(-1);
      if (last?.type === 'text') pieces[pieces.length - 1] = { type: 'text', text: last.text + text };
      else pieces.push({ type: 'text', text });
    };
    let keepFrom = final ? held.length : held.search(UNDECIDED);
    for (const match of held.matchAll(MARKER)) {
      const end = match.index + match[0].length;
      if (end === held.length && !final) {
        keepFrom = Math.min(keepFrom, match.index);
        break;
      }
      say(held.slice(at, match.index));
      at = end;
      const [whole, blank = '', numbers = ''] = match;
      if (inCode || held[end] === '(' || held[end] === ':') say(whole);
      else pieces.push({ type: 'marker', text: whole, blank, numbers: numbers.split(',').map(Number) });
    }
    keepFrom = Math.max(at, keepFrom);
    say(held.slice(at, keepFrom));
    held = held.slice(keepFrom);
    return pieces;
  };
  return {
    push(delta) {
      held += delta;
      return split(false);
    },
    end: () => split(true),
  };
}
