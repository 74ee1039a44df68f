import { isSpace } from '#characters';

/** A range of a text in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the span without white space at either end, or an empty span at `end` if it contains
 * nothing else.
 */
export function trimSpan(text: string, span: Span): Span {
  let { start, end } = span;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return { start, end };
}

export function sliceSpan(text: string, span: Span): string {
  return text.slice(span.start, span.end);
}
