import type { Span } from '#span';

/** Returns the lines of a text without their line breaks (LF, CRLF or CR). */
export function lineSpans(text: string): Span[] {
  const lines: Span[] = [];
  const breaks = /\r\n|\n|\r/g;
  let start = 0;
  for (const match of text.matchAll(breaks)) {
    lines.push({ start, end: match.index });
    start = match.index + match[0].length;
  }
  lines.push({ start, end: text.length });
  return lines;
}
