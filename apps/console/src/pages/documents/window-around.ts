/** The maximum number of characters shown: more would render slowly. */
const MAX_SHOWN = 60_000;

export interface TextWindow {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
  readonly isCut: boolean;
  /** The offset of the marked text in the whole text. */
  readonly start: number;
}

/** Returns the position of a quote: `offset` if it matches, else the first occurrence, or -1. */
function positionOf(text: string, quote: string | undefined, offset: number | undefined): number {
  if (quote === undefined || quote === '') return -1;
  return offset !== undefined && text.startsWith(quote, offset) ? offset : text.indexOf(quote);
}

/** Returns the text around a quote. Without one in the text, `marked` is empty, and the text begins at its start. */
export function windowAround(text: string, quote: string | undefined, offset?: number): TextWindow {
  const at = positionOf(text, quote, offset);
  if (at < 0 || quote === undefined) {
    return { before: '', marked: '', after: text.slice(0, MAX_SHOWN), isCut: text.length > MAX_SHOWN, start: 0 };
  }
  const from = Math.max(0, at - MAX_SHOWN / 2);
  const to = Math.min(text.length, Math.max(at + MAX_SHOWN / 2, at + quote.length));
  return {
    before: text.slice(from, at),
    marked: quote,
    after: text.slice(at + quote.length, to),
    isCut: from > 0 || to < text.length,
    start: at,
  };
}
