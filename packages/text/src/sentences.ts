import { isSpace } from '#characters';
import { type Span, trimSpan } from '#span';

/**
 * `quote` splits text for readers: abbreviations do not end a sentence, and a short separate line
 * ("Label: value", an address, a title) is a sentence. `chunk` splits text for indexing: every list
 * item starts a sentence. The boundaries of stored chunks depend on it. `message` splits what users
 * type: a sentence can start with a lower-case letter, and every line starts one.
 */
export type SentenceStyle = 'quote' | 'chunk' | 'message';

const NEWLINE = 10;

/** . ! ? … end a sentence if white space follows; 。！？｡ always do. */
const WESTERN_ENDS = new Set([0x2e, 0x21, 0x3f, 0x2026]);
const EASTERN_ENDS = new Set([0x3002, 0xff01, 0xff1f, 0xff61]);
/** Marks the ASCII characters after which neither a sentence nor a line ends. */
const IS_INNER = Uint8Array.from({ length: 128 }, (_, code) => Number(code !== NEWLINE && !WESTERN_ENDS.has(code)));
const CLOSERS = new Set(['"', "'", ')', ']', '”', '’', '»', '」', '』', '）', '*', '_']);
/** How many closing quotes, brackets and Markdown marks can follow the end of a sentence. */
const MAX_CLOSERS = 7;

/** Ends of sentences in other scripts, for quotes only: ؟ ۔ । and others. */
const OTHER_END = /^\p{Sentence_Terminal}$/u;
/** References that follow a full stop without a space: "…too long.[4]". */
const REFERENCES = /(?:\[\d{1,3}\])+/y;
const LIST_ITEM = /\s*(?:[-*+•]|\d{1,9}[.)])\s/y;
/** What can precede the first letter of a sentence. */
const OPENERS = /[\s"'“„‘«([*_]*/y;

/**
 * Words that rarely end a sentence although a full stop follows (English and German), in lower
 * case, without the stop.
 */
const ABBREVIATIONS = new Set(
  (
    'mr mrs ms dr prof sr jr st vs etc e.g i.e eg ie cf al inc ltd co corp dept est fig no nos vol pp ed eds approx max min ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun u.s u.k ph.d a.m p.m ' +
    'z.b bzw usw ca nr abs art bzgl d.h evtl ggf inkl u.a vgl s.o s.u z.t'
  ).split(' '),
);
const LONGEST_ABBREVIATION = 12;

/**
 * Returns the sentences of a stretch of prose in order, without the white space around them. A
 * sentence ends at a mark that is followed by white space and, except in messages, not by a
 * lower-case letter. One pass.
 */
export function* splitSentences(
  text: string,
  within: Span = { start: 0, end: text.length },
  style: SentenceStyle = 'quote',
): Generator<Span> {
  const { end } = within;
  let from = skipSpace(text, within.start, end);
  let lineStart = within.start;
  let at = from;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (IS_INNER[code] === 1) {
      at++;
      continue;
    }
    let stop = -1;
    if (code === NEWLINE) {
      if (startsSentence(text, { start: lineStart, end: at }, end, style)) stop = at;
      lineStart = at + 1;
    } else stop = sentenceEnd(text, from, at, end, style);
    if (stop === -1) {
      at++;
      continue;
    }
    if (stop > from) yield style === 'quote' ? trimSpan(text, { start: from, end: stop }) : { start: from, end: stop };
    from = skipSpace(text, stop, end);
    at = Math.max(stop, at + 1);
  }
  if (from < end) yield style === 'quote' ? trimSpan(text, { start: from, end }) : { start: from, end };
}

/** Returns whether the line after this one starts a sentence. */
function startsSentence(text: string, line: Span, end: number, style: SentenceStyle): boolean {
  if (style === 'message') return true;
  if (style === 'chunk') return startsListItem(text, line.end + 1);
  return isSeparateLine(
    text.slice(line.start, line.end).trim(),
    text.slice(line.end + 1, Math.min(end, line.end + 60)).trim(),
  );
}

function startsListItem(text: string, lineStart: number): boolean {
  // A list mark follows little white space. A longer search would take quadratic time on runs of
  // blanks.
  if (skipSpace(text, lineStart, lineStart + 40) === lineStart + 40) return false;
  LIST_ITEM.lastIndex = lineStart;
  return LIST_ITEM.test(text);
}

function isSeparateLine(line: string, next: string): boolean {
  if (line === '' || next === '') return false;
  if (/\\$|\s{2}$/u.test(line)) return true;
  return (
    /^[\p{Lu}\p{N}"“$€£(]/u.test(next) &&
    line.length <= 60 &&
    !/[,;\-–—]$/u.test(line) &&
    !/\b(?:and|or|the|of|a|an|to|in|for|und|oder|der|die|das)$/iu.test(line)
  );
}

/** Returns the end of the sentence that the character at `at` closes, or -1 if it closes none. */
function sentenceEnd(text: string, from: number, at: number, end: number, style: SentenceStyle): number {
  const code = text.charCodeAt(at);
  const eastern = EASTERN_ENDS.has(code);
  const western = WESTERN_ENDS.has(code) || (style === 'quote' && code > 127 && OTHER_END.test(text.charAt(at)));
  if (!eastern && !western) return -1;
  const closed = skipClosers(text, at + 1, end);
  if (eastern) return closed;
  const after = style === 'quote' ? skipReferences(text, closed, end) : closed;
  if (after < end && after === closed && !isSpace(text.charCodeAt(after))) return -1;
  if (style !== 'message' && startsLowerCase(text, after, end, style)) return -1;
  return style === 'quote' && closed === at + 1 && endsInAbbreviation(text, from, at) ? -1 : after;
}

function skipClosers(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && at < start + MAX_CLOSERS && CLOSERS.has(text.charAt(at))) at++;
  return at;
}

function skipReferences(text: string, at: number, end: number): number {
  REFERENCES.lastIndex = at;
  return REFERENCES.test(text) ? Math.min(end, REFERENCES.lastIndex) : at;
}

function startsLowerCase(text: string, at: number, end: number, style: SentenceStyle): boolean {
  const near = Math.min(end, at + 8);
  let first = skipSpace(text, at, near);
  if (style === 'quote') {
    OPENERS.lastIndex = first;
    OPENERS.test(text);
    first = OPENERS.lastIndex;
  }
  const letter = first < end ? text.charAt(first) : '';
  return letter.toLowerCase() === letter && letter.toUpperCase() !== letter;
}

/**
 * Returns whether the full stop at `at` follows an abbreviation, an initial or the number of a list
 * item.
 */
function endsInAbbreviation(text: string, from: number, at: number): boolean {
  if (text.charAt(at) !== '.') return false;
  let start = at;
  while (start > from && at - start <= LONGEST_ABBREVIATION && !isSpace(text.charCodeAt(start - 1))) start--;
  const word = text.slice(start, at).replace(/^[^\p{L}\p{N}]+/u, '');
  return ABBREVIATIONS.has(word.toLowerCase()) || /^(?:\p{Lu}|\d{1,2})$/u.test(word);
}

function skipSpace(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isSpace(text.charCodeAt(at))) at++;
  return at;
}
