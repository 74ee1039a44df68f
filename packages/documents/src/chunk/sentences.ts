import { isSpace } from '#chunk/estimate-tokens';

/** Offsets of a piece of text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const newline = 10;
/** . ! ? … end a sentence when white space follows; 。！？ always do. */
const westernEnds = new Set([0x2e, 0x21, 0x3f, 0x2026]);
const easternEnds = new Set([0x3002, 0xff01, 0xff1f, 0xff61]);
const closers = new Set(['"', "'", ')', ']', '”', '’', '»', '」', '』', '）', '*', '_']);
const listItem = /\s*(?:[-*+•]|\d{1,9}[.)])\s/y;

const isLowerCase = (char: string | undefined): boolean =>
  char !== undefined && char.toLowerCase() === char && char.toUpperCase() !== char;

const skipSpace = (text: string, from: number, end: number): number => {
  let at = from;
  while (at < end && isSpace(text.charCodeAt(at))) at++;
  return at;
};

const beginsListItem = (text: string, lineStart: number): boolean => {
  listItem.lastIndex = lineStart;
  // A list mark follows little white space; looking further would make blank runs quadratic.
  return skipSpace(text, lineStart, lineStart + 40) < lineStart + 40 && listItem.test(text);
};

/** The end of the sentence that the mark at `at` closes, or -1 where it is a mere abbreviation or decimal point. */
const sentenceEnd = (text: string, at: number, end: number): number => {
  const code = text.charCodeAt(at);
  const eastern = easternEnds.has(code);
  if (!eastern && !westernEnds.has(code)) return -1;
  let after = at + 1;
  while (after < end && after < at + 8 && closers.has(text[after] ?? '')) after++;
  if (eastern) return after;
  if (after < end && !isSpace(text.charCodeAt(after))) return -1;
  return isLowerCase(text[skipSpace(text, after, Math.min(end, after + 8))]) ? -1 : after;
};

/**
 * The sentences of a paragraph between two offsets, white space around them left out. A list item begins a sentence, as
 * does what follows 。 or a full stop that white space and no lower-case letter follow. One pass.
 */
export function* sentences(text: string, start: number, end: number): Generator<Span> {
  let from = skipSpace(text, start, end);
  let at = from;
  while (at < end) {
    let stop = -1;
    if (text.charCodeAt(at) === newline && beginsListItem(text, at + 1)) stop = at;
    else stop = sentenceEnd(text, at, end);
    if (stop === -1) {
      at++;
      continue;
    }
    if (stop > from) yield { start: from, end: stop };
    from = skipSpace(text, stop, end);
    at = Math.max(from, at + 1);
  }
  if (from < end) yield { start: from, end };
}
