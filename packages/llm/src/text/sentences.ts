import { type Span, sliceSpan, trimSpan } from '#text/span';

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Words whose full stop rarely ends a sentence (English and German), lower case, without the stop. */
const ABBREVIATIONS = new Set(
  (
    'mr mrs ms dr prof sr jr st vs etc e.g i.e eg ie cf al inc ltd co corp dept est fig no nos vol pp ed eds approx max min ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun u.s u.k ph.d a.m p.m ' +
    'z.b bzw usw ca nr abs art bzgl d.h evtl ggf inkl u.a vgl s.o s.u z.t'
  ).split(' '),
);

/**
 * The sentences of a stretch of prose, as trimmed spans into `text`. Boundaries are those of Unicode's text segmentation
 * (UAX #29), with two repairs: an abbreviation, an initial or a lower-case start does not open a sentence, and a line break
 * inside a paragraph ends one only where the line stands for itself ("Label: value", an address, a title).
 */
export function splitSentences(text: string, within: Span = { start: 0, end: text.length }): Span[] {
  const sentences: Span[] = [];
  for (const stretch of standaloneStretches(text, within)) sentences.push(...sentencesOf(text, stretch));
  return sentences;
}

function sentencesOf(text: string, stretch: Span): Span[] {
  // For the segmenter, wrapped prose goes on and a reference after a full stop ("…long.[4]") is not there. Same length, so offsets hold.
  const flat = sliceSpan(text, stretch)
    .replace(/[\r\n\t]/g, ' ')
    .replace(/(?<=[.!?])(?:\[\d{1,3}\])+/g, (reference) => ' '.repeat(reference.length));
  const sentences: Span[] = [];
  let open: number | undefined;
  for (const { segment, index } of SEGMENTER.segment(flat)) {
    open ??= index;
    const end = index + segment.length;
    if (end < flat.length && continues(flat.slice(open, end), flat.slice(end, end + 40))) continue;
    for (const part of splitBeforeFigures(flat, { start: open, end })) {
      const sentence = trimSpan(text, { start: stretch.start + part.start, end: stretch.start + part.end });
      if (sentence.end > sentence.start) sentences.push(sentence);
    }
    open = undefined;
  }
  return sentences;
}

/** UAX #29 goes on where figures and then small letters follow ("… Vanguard. 37signals matches …"); people end the sentence there. */
function splitBeforeFigures(text: string, span: Span): Span[] {
  const parts: Span[] = [];
  let start = span.start;
  for (const match of sliceSpan(text, span).matchAll(/(?<=[\p{L})%][.!?]["”’)\]]?)\s+(?=\p{N})/gu)) {
    const at = span.start + match.index;
    if (endsInAbbreviation(text.slice(start, at))) continue;
    parts.push({ start, end: at });
    start = at;
  }
  return [...parts, { start, end: span.end }];
}

function continues(before: string, after: string): boolean {
  if (/^\s*\p{Ll}/u.test(after)) return !/[.!?]["”’)\]]*\s+$/u.test(before) || endsInAbbreviation(before);
  return endsInAbbreviation(before);
}

function endsInAbbreviation(before: string): boolean {
  const last = /(\S+)\.\s*$/u.exec(before)?.[1]?.replace(/^[^\p{L}\p{N}]+/u, '');
  if (last === undefined) return false;
  return ABBREVIATIONS.has(last.toLowerCase()) || /^\p{Lu}$/u.test(last) || /^\d{1,2}$/u.test(last);
}

/** Splits where a line stands for itself, so that a column of short lines does not become one long sentence. */
function standaloneStretches(text: string, within: Span): Span[] {
  const stretches: Span[] = [];
  let start = within.start;
  let lineStart = within.start;
  for (let at = within.start; at < within.end; at += 1) {
    if (text[at] !== '\n') continue;
    const line = text.slice(lineStart, at).trim();
    const next = text.slice(at + 1, Math.min(within.end, at + 60)).trim();
    if (standsAlone(line, next)) {
      stretches.push({ start, end: at });
      start = at + 1;
    }
    lineStart = at + 1;
  }
  stretches.push({ start, end: within.end });
  return stretches;
}

function standsAlone(line: string, next: string): boolean {
  if (line === '' || next === '') return false;
  if (/\\$|\s{2}$/u.test(line)) return true;
  const opensAnew = /^[\p{Lu}\p{N}"“$€£(]/u.test(next);
  return (
    opensAnew &&
    line.length <= 60 &&
    !/[,;\-–—]$/u.test(line) &&
    !/\b(?:and|or|the|of|a|an|to|in|for|und|oder|der|die|das)$/iu.test(line)
  );
}
