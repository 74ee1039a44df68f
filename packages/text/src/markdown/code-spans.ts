import { fenceAfter } from '#markdown/line-kinds';
import { lineSpans } from '#markdown/lines';
import { type Span, sliceSpan } from '#span';

const BACKTICKS = /`+/g;

/** Returns where a Markdown text is code, with its fences or backticks, in order. */
export function codeSpans(text: string): Span[] {
  const spans: Span[] = [];
  let fence: string | undefined;
  let start = 0;
  for (const line of lineSpans(text)) {
    const content = sliceSpan(text, line);
    const after = fenceAfter(content, fence);
    if (fence === undefined && after === undefined) spans.push(...inlineCode(content, line.start));
    else if (fence === undefined) start = line.start;
    else if (after === undefined) spans.push({ start, end: line.end });
    fence = after;
  }
  if (fence !== undefined) spans.push({ start, end: text.length });
  return spans;
}

/** Returns code between two runs of equally many backticks in a line. */
function inlineCode(line: string, offset: number): Span[] {
  const runs = Array.from(line.matchAll(BACKTICKS), ({ 0: marks, index }) => ({ start: index, length: marks.length }));
  const lastOf = new Map(runs.map(({ start, length }) => [length, start]));
  const spans: Span[] = [];
  let open: (typeof runs)[number] | undefined;
  for (const run of runs) {
    if (open === undefined && (lastOf.get(run.length) ?? 0) > run.start) open = run;
    else if (open?.length === run.length) {
      spans.push({ start: offset + open.start, end: offset + run.start + run.length });
      open = undefined;
    }
  }
  return spans;
}
