import { lineSpans, splitSentences } from '@lectern/text';

const BLANK = /\s/;

/** Returns the offsets at which sentences or lines start, in order; 0 first. */
export function sentenceStarts(text: string): number[] {
  const starts = [0];
  for (const line of lineSpans(text)) {
    for (const { start } of splitSentences(text, line, 'chunk')) if (start > (starts.at(-1) ?? 0)) starts.push(start);
  }
  return starts;
}

/**
 * Returns the last position at or before `offset` that is not inside a word; `offset` itself if
 * none is near, never inside a surrogate pair.
 */
export function wordBorderBefore(text: string, offset: number, atLeast: number): number {
  if (offset >= text.length) return text.length;
  for (let at = offset; at > atLeast; at -= 1) {
    if (BLANK.test(text[at] ?? '') || BLANK.test(text[at - 1] ?? '')) return at;
  }
  return isLowSurrogate(text, offset) ? offset - 1 : offset;
}

/**
 * Returns the first start of a word at or after `offset` and before `limit`; otherwise `offset`,
 * never inside a surrogate pair.
 */
export function wordStartAfter(text: string, offset: number, limit: number): number {
  for (let at = offset; at < limit; at += 1) {
    if (at === 0 || (BLANK.test(text[at - 1] ?? '') && !BLANK.test(text[at] ?? ''))) return at;
  }
  return isLowSurrogate(text, offset) ? offset + 1 : offset;
}

function isLowSurrogate(text: string, offset: number): boolean {
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
