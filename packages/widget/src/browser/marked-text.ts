/** A place in a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A piece of a text, and whether it is to be marked. */
export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Cuts a text at its spans. Spans that overlap or lie outside lose what is too much; the pieces together are always the text. */
export function piecesOf(text: string, spans: readonly Span[]): Piece[] {
  const pieces: Piece[] = [];
  const add = (from: number, to: number, isMarked: boolean) => {
    if (to > from) pieces.push({ text: text.slice(from, to), isMarked });
  };
  let done = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const from = Math.min(Math.max(start, done), text.length);
    const to = Math.min(Math.max(end, from), text.length);
    add(done, from, false);
    add(from, to, true);
    done = to;
  }
  add(done, text.length, false);
  return pieces;
}

/** The text with its spans in `<mark>`. Made of text nodes: what a document says never becomes markup. */
export function markedText(text: string, spans: readonly Span[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const piece of piecesOf(text, spans)) {
    if (!piece.isMarked) {
      fragment.append(piece.text);
      continue;
    }
    const mark = document.createElement('mark');
    mark.textContent = piece.text;
    fragment.append(mark);
  }
  return fragment;
}
