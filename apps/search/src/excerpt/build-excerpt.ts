import { sentenceStarts, wordBorderBefore, wordStartAfter } from '#excerpt/boundaries';
import { findMatches, type Match } from '#excerpt/matches';
import type { StoredText } from '#words/hit-texts';

/** Offsets in UTF-16 code units, end exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Excerpt {
  /** Verbatim text of the passage. */
  readonly text: string;
  /** Positions of the query's terms in the text, in order, without overlap. */
  readonly highlights: readonly Span[];
}

/** The longest excerpt, in UTF-16 units. */
const MAX_LENGTH = 320;
/** How far before a match an excerpt can start. */
const LEAD = 160;
/** An excerpt ends at the end of a sentence only if at least this much remains. */
const MIN_LENGTH = 120;

/**
 * Returns the part of a passage that shows best why it was found: the window with the most of the
 * query's terms, distinct ones first. It starts and ends at a sentence if one is near, else at a
 * word.
 */
export function buildExcerpt(passage: StoredText, terms: ReadonlySet<string>): Excerpt {
  const { text } = passage;
  const matches = findMatches(passage, terms);
  const { start, end } = trim(text, chooseWindow(text, matches));
  return { text: text.slice(start, end), highlights: highlightsWithin(matches, start, end) };
}

function chooseWindow(text: string, matches: readonly Match[]): Span {
  if (text.length <= MAX_LENGTH) return { start: 0, end: text.length };
  const sentences = sentenceStarts(text);
  let best = { start: 0, score: scoreOf(matches, 0) };
  for (const start of candidateStarts(text, sentences, matches)) {
    const score = scoreOf(matches, start);
    // The last of equal windows starts with the sentence of its first match.
    if (score >= best.score) best = { start, score };
  }
  return { start: best.start, end: chooseEnd(text, sentences, matches, best.start) };
}

/**
 * Returns sentence starts shortly before a match and, in long sentences, the start of a word
 * shortly before it.
 */
function candidateStarts(text: string, sentences: readonly number[], matches: readonly Match[]): number[] {
  const starts = new Set<number>();
  for (const { start } of matches) {
    const near = sentences.filter((sentence) => sentence <= start && start - sentence <= LEAD);
    if (near.length === 0) starts.add(wordStartAfter(text, Math.max(0, start - LEAD / 2), start));
    for (const sentence of near) starts.add(sentence);
  }
  return [...starts].sort((a, b) => a - b);
}

/**
 * Scores a window. A distinct term counts by its length, which approximates its rarity; a
 * repetition counts a tenth of that.
 */
function scoreOf(matches: readonly Match[], start: number): number {
  const seen = new Set<string>();
  let score = 0;
  for (const match of matches) {
    if (match.start < start || match.end > start + MAX_LENGTH) continue;
    const weight = 0.5 + Math.min(match.term.length, 10) / 10;
    score += seen.has(match.term) ? weight / 10 : weight;
    seen.add(match.term);
  }
  return score;
}

function chooseEnd(text: string, sentences: readonly number[], matches: readonly Match[], start: number): number {
  const limit = start + MAX_LENGTH;
  const lastMatch = matches.findLast((match) => match.start >= start && match.end <= limit)?.end ?? start;
  const earliest = Math.max(lastMatch, start + MIN_LENGTH);
  const sentence = sentences.findLast((at) => at <= limit && at >= earliest);
  return sentence ?? wordBorderBefore(text, limit, earliest);
}

function trim(text: string, { start, end }: Span): Span {
  const part = text.slice(start, end);
  return {
    start: start + (part.length - part.trimStart().length),
    end: end - (part.length - part.trimEnd().length),
  };
}

function highlightsWithin(matches: readonly Match[], from: number, to: number): Span[] {
  const spans: Span[] = [];
  for (const match of matches) {
    if (match.start < from || match.end > to) continue;
    const span = { start: match.start - from, end: match.end - from };
    const last = spans.at(-1);
    if (last !== undefined && span.start < last.end)
      spans[spans.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else spans.push(span);
  }
  return spans;
}
