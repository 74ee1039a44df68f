import { fenceAfter, fenceBefore, headingOf } from '#markdown/line-kinds';
import { lineSpans } from '#markdown/lines';
import { type Span, sliceSpan } from '#span';

/** A heading and the text below it, up to the next heading of any level. */
export interface SectionSpan extends Span {
  /** The offset of the text below the heading; `start` for text before the first heading. */
  readonly bodyStart: number;
}

/** Returns the sections of a Markdown text, or a part of one, in order. Together they are the whole text. */
export function sectionSpans(text: string): SectionSpan[] {
  const sections: SectionSpan[] = [];
  let open = { start: 0, bodyStart: 0 };
  let fence = fenceBefore(text);
  const lines = lineSpans(text);
  for (const [at, line] of lines.entries()) {
    const content = sliceSpan(text, line);
    fence = fenceAfter(content, fence);
    if (fence === undefined && headingOf(content)) {
      if (line.start > open.start) sections.push({ ...open, end: line.start });
      open = { start: line.start, bodyStart: lines[at + 1]?.start ?? text.length };
    }
  }
  sections.push({ ...open, end: text.length });
  return sections;
}
