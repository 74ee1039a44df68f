// A full stop before a small letter is an abbreviation's.
const SENTENCE_END = /[.!?…]["'”’)\]]*\s+(?!\p{Ll})|[。！？]+|\s*\n+\s*/gu;
const BLANK = /\s/;

/** Offsets at which a sentence or a line starts, in order; 0 first. */
export function sentenceStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(SENTENCE_END)) {
    const start = match.index + match[0].length;
    if (start > (starts.at(-1) ?? 0) && start < text.length) starts.push(start);
  }
  return starts;
}

/** The last place at or before `offset` that is not inside a word; `offset` itself (never inside a surrogate pair) where none is near. */
export function wordBorderBefore(text: string, offset: number, atLeast: number): number {
  if (offset >= text.length) return text.length;
  for (let at = offset; at > atLeast; at -= 1) {
    if (BLANK.test(text[at] ?? '') || BLANK.test(text[at - 1] ?? '')) return at;
  }
  return isLowSurrogate(text, offset) ? offset - 1 : offset;
}

/** The first place at or after `offset` where a word starts, before `limit`; otherwise `offset`, never inside a surrogate pair. */
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
