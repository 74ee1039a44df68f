/** A page of this many characters is laid out at once on a small machine. */
const MAX_SHOWN = 200_000;

export interface TextWindow {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
  readonly isCut: boolean;
}

/** Where a quote stands: at `offset` where that holds, for the same words may stand elsewhere too; else where they come first; -1 for nowhere. */
function placeOf(text: string, quote: string | undefined, offset: number | undefined): number {
  if (quote === undefined || quote === '') return -1;
  return offset !== undefined && text.startsWith(quote, offset) ? offset : text.indexOf(quote);
}

/** The part of a text that is shown, with the quote apart; `marked` is empty where there is no quote, or it does not occur. */
export function windowAround(text: string, quote: string | undefined, offset?: number): TextWindow {
  const at = placeOf(text, quote, offset);
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
