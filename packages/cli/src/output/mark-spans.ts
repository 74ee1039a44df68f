import { oneLine } from '#output/plain-text';

/** A place in a text, in UTF-16 units. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text on one line with its spans styled. Spans that overlap or lie outside lose what is too much. */
export function markSpans(text: string, spans: readonly Span[], style: (text: string) => string): string {
  // White space around a piece is kept as one blank, or words would run together.
  const plain = (piece: string) => oneLine(`.${piece}.`).slice(1, -1);
  let line = '';
  let done = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const from = Math.max(start, done);
    if (end <= from) continue;
    line += plain(text.slice(done, from)) + style(plain(text.slice(from, end)));
    done = end;
  }
  return (line + plain(text.slice(done))).trim();
}
