import { oneLine } from '#output/plain-text';

/** A range of a text in UTF-16 units. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Puts a text on one line and styles the spans. Clips spans that overlap or exceed the text. */
export function markSpans(text: string, spans: readonly Span[], style: (text: string) => string): string {
  // `oneLine` trims. The dots preserve the spaces around a piece, so that words stay separate.
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
