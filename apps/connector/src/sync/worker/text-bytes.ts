/** Bytes of text to index at the same time. Also limits how long one text waits for the others. */
export const MAX_TEXT_BYTES = 8 * 1024 * 1024;

/** What a short text counts. Limits the number of items that are indexed at the same time. */
const MIN_COUNTED_BYTES = 128 * 1024;
/** What a long text counts, so that short texts of other teams are indexed at the same time. */
const MAX_COUNTED_BYTES = MAX_TEXT_BYTES / 4;

/** Returns what a text counts of `MAX_TEXT_BYTES`. */
export function countedBytes(text: { readonly length: number }): number {
  return Math.min(Math.max(text.length, MIN_COUNTED_BYTES), MAX_COUNTED_BYTES);
}
