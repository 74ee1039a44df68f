/** The maximum number of characters shown: more would render slowly. */
const MAX_SHOWN = 60_000;

export interface TextWindow {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
  readonly isCut: boolean;
}

/** Returns the position of a quote: `offset` if it matches, else the first occurrence, or -1. */
function positionOf(text: string, quote: string | undefined, offset: number | undefined): number {
  if (quote === undefined || quote === '') return -1;
  return offset !== undefined && text.startsWith(quote, offset) ? offset : text.indexOf(quote);
}

/** Returns the text around a quote. `marked` is empty if the text does not contain the quote. */
export function windowAround(text: string, quote: string | undefined, offset?: number): TextWindow {
  const at = positionOf(text, quote, offset);
  const marked = at < 0 || quote === undefined ? '' : quote;
  const start = at < 0 ? 0 : at;
  const from = Math.max(0, start - MAX_SHOWN / 2);
  const to = Math.min(text.length, start + MAX_SHOWN / 2);
  return {
    before: text.slice(from, start),
    marked,
    after: text.slice(start + marked.length, Math.max(to, start + marked.length)),
    isCut: from > 0 || to < text.length,
  };
}
