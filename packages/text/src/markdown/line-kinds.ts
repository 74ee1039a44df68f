import { lineSpans } from '#markdown/lines';
import { sliceSpan } from '#span';

/** The start of a heading, or of a line of fenced code. */
const HEADING = /^ {0,3}(#{1,6})[ \t]+/;
const FENCE = /^([ \t]*(?:`{3,}(?=[^`]*$)|~{3,}))(.*)$/;
/** Longer lines are text. */
const MAX_HEADING = 500;

/** A heading without its number signs. */
export interface Heading {
  readonly level: number;
  readonly text: string;
}

/** Reads a line that is a heading. Takes time in proportion to the line, whatever it contains. */
export function headingOf(line: string): Heading | undefined {
  if (line.length > MAX_HEADING) return undefined;
  const [start, signs] = HEADING.exec(line) ?? [];
  if (start === undefined || signs === undefined) return undefined;
  const text = line.slice(start.length).trim();
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  return { level: signs.length, text: text.slice(0, end).trimEnd() };
}

/**
 * Returns the fence that is open after a line, with its indentation, given the one that is open
 * before it. Only a fence of the same character and at least the same length closes it.
 */
export function fenceAfter(line: string, open: string | undefined): string | undefined {
  const [, fence, label = ''] = FENCE.exec(line) ?? [];
  if (fence === undefined) return open;
  if (open === undefined) return fence;
  return fence.trimStart().startsWith(open.trimStart()) && label.trim() === '' ? undefined : open;
}

/** Returns the fence that is open at the end of a text, given the one that is open before it. */
export function openFence(text: string, before?: string): string | undefined {
  return lineSpans(text).reduce((open, line) => fenceAfter(sliceSpan(text, line), open), before);
}

/**
 * Returns the fence that a part of a document starts in, if its lines show that: a labeled fence
 * opens code, so a fence that is still open there was the end of code.
 */
export function fenceBefore(text: string): string | undefined {
  let open: string | undefined;
  let first: string | undefined;
  for (const span of lineSpans(text)) {
    const line = sliceSpan(text, span);
    const fence = FENCE.exec(line)?.[1];
    if (fence === undefined) continue;
    first ??= line.trimEnd();
    const after = fenceAfter(line, open);
    const isLabeled = line.trim() !== fence.trim();
    if (open !== undefined && after === open && isLabeled && fence.trimStart().startsWith(open.trimStart())) {
      return fenceAfter(first, undefined) === first ? first : undefined;
    }
    open = after;
  }
  return undefined;
}
