/** A range of a text in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A part of a text. */
export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Splits a text at its spans. Clips spans that overlap or exceed the text; no character is lost. */
export function splitAtSpans(text: string, spans: readonly Span[]): Piece[] {
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

/** Puts the spans of a text in `<mark>`. Uses text nodes, so that document content never becomes markup. */
export function markedText(text: string, spans: readonly Span[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const piece of splitAtSpans(text, spans)) {
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
