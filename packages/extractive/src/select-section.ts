import type { Candidate, ScoredCandidate } from '@lectern/grounding';
import { estimateTokens, fenceAfter, fenceBefore, type Span, sectionSpans, sliceSpan, trimSpan } from '@lectern/text';

/** A part of a passage that answers a question as a whole. */
export interface FoundSection {
  /** The best unit in it. */
  readonly lead: Candidate;
  /** Verbatim from the passage, with its formatting. */
  readonly text: string;
  /** The fence of the code that the text starts in. */
  readonly fence: string | undefined;
}

/** A section is considered if its best unit scores at least this share of the best unit. */
const CLOSE_TO_BEST = 0.88;
/** The preference for a section with numbered steps or code, and for one with another list. */
const PREFERENCE = { steps: 0.1, items: 0.05 } as const;
/** The maximum length of a quoted section, in UTF-16 code units. It fits into a default reply. */
const MAX_LENGTH = 2_400;
/** The same for a section of prose. */
const MAX_PROSE = 1_200;

/** Rows of a table with at least this share of the best one's score answer equally well. */
const SAME_SCORE = 0.99;

/** The maximum size of a quoted text, in UTF-16 code units and in tokens. */
interface Limit {
  readonly length: number;
  readonly tokens: number;
}

/** Numbered steps or fenced code. */
const STEPS = /^ *(?:\d{1,3}[.)]\s+\S|```|~~~)/m;
const ITEMS = /^ *(?:[-*+•]\s+\S|\|.*\|)/m;

/**
 * Returns the section of the best unit if it has steps, code, a list or a table, otherwise the one
 * that answers best, preferably with one of these.
 * Undefined if one row of a table answers better, or if no such text has at most `maxTokens`.
 * `scored` is best first.
 */
export function selectInstructions(scored: readonly ScoredCandidate[], maxTokens: number): FoundSection | undefined {
  const best = scored[0];
  if (!best || isDistinctRow(best, scored)) return undefined;
  const limit = { length: MAX_LENGTH, tokens: maxTokens };
  const own = sectionOf(best.candidate, limit);
  if (own && preference(own.text) > 0) return own;
  const close = scored.filter(({ score }) => score >= best.score * CLOSE_TO_BEST);
  const ranked = close
    .flatMap(({ candidate, score }) => {
      const section = sectionOf(candidate, limit);
      return section ? [{ section, value: score + preference(section.text) }] : [];
    })
    .sort((a, b) => b.value - a.value);
  const section = ranked[0]?.section;
  return section && preference(section.text) === 0
    ? sectionOf(section.lead, { length: MAX_PROSE, tokens: maxTokens })
    : section;
}

function preference(text: string): number {
  if (STEPS.test(text)) return PREFERENCE.steps;
  return ITEMS.test(text) ? PREFERENCE.items : 0;
}

/** Returns whether the best unit is a row of a table that answers better than the other rows. */
function isDistinctRow({ candidate, score }: ScoredCandidate, scored: readonly ScoredCandidate[]): boolean {
  const { source, passageIndex, unit } = candidate;
  if (unit.kind !== 'table_row' && unit.kind !== 'table_cell') return false;
  const second = scored[1];
  if (!second || second.score < score * SAME_SCORE) return true;
  const other = second.candidate;
  return other.source.id !== source.id || other.passageIndex !== passageIndex || other.unit.block !== unit.block;
}

/**
 * Returns the section of a unit, without its heading. A long section is reduced to the blocks
 * around the unit. Undefined if the unit's own block is too long.
 */
function sectionOf(lead: Candidate, limit: Limit): FoundSection | undefined {
  const passage = lead.source.passages[lead.passageIndex]?.text ?? '';
  const { unit } = lead;
  const section = sectionSpans(passage).find(({ end }) => unit.start < end);
  if (!section) return undefined;
  const body = trimLines(passage, { start: section.bodyStart, end: section.end });
  const part = isWithin(limit, passage, body) ? body : blocksAround(passage, body, unit, limit);
  const text = part === undefined ? '' : sliceSpan(passage, part);
  const fence = part?.start === body.start ? fenceAtStart(passage, body) : undefined;
  return text === '' ? undefined : { lead, text, fence };
}

/** Returns the blocks around a unit that fit: its own, its lead-in, then those after and before. */
function blocksAround(passage: string, body: Span, unit: Span, limit: Limit): Span | undefined {
  const blocks = blocksOf(passage, body);
  let first = blocks.findIndex(({ end }) => unit.start < end);
  let last = first;
  const fits = (from: number, to: number): boolean => {
    const [start, end] = [blocks[from], blocks[to]];
    return start !== undefined && end !== undefined && isWithin(limit, passage, { start: start.start, end: end.end });
  };
  if (!fits(first, last)) return undefined;
  const before = blocks[first - 1];
  if (before && /:$/.test(sliceSpan(passage, before)) && fits(first - 1, last)) first -= 1;
  while (fits(first, last + 1)) last += 1;
  while (fits(first - 1, last)) first -= 1;
  return { start: blocks[first]?.start ?? body.start, end: blocks[last]?.end ?? body.end };
}

function isWithin({ length, tokens }: Limit, text: string, { start, end }: Span): boolean {
  return end - start <= length && estimateTokens(text, start, end) <= tokens;
}

/** Splits a text at its blank lines, except those in fenced code. */
function blocksOf(passage: string, { start, end }: Span): Span[] {
  const blocks: Span[] = [];
  let open: Span | undefined;
  let fence = fenceAtStart(passage, { start, end });
  for (const line of sliceSpan(passage, { start, end }).matchAll(/.*(?:\n|$)/g)) {
    if (line[0] === '') continue;
    const span = { start: start + line.index, end: start + line.index + line[0].trimEnd().length };
    fence = fenceAfter(line[0].trimEnd(), fence);
    if (fence === undefined && line[0].trim() === '') {
      if (open) blocks.push(open);
      open = undefined;
    } else open = { start: open?.start ?? span.start, end: Math.max(span.end, open?.end ?? 0) };
  }
  if (open) blocks.push(open);
  return blocks;
}

/** Returns the fence of the code that a section starts in: only the first one of a passage can. */
function fenceAtStart(passage: string, { start }: Span): string | undefined {
  return passage.slice(0, start).trim() === '' ? fenceBefore(passage) : undefined;
}

/** Trims blank lines at the start, and all white space at the end: indentation is formatting. */
function trimLines(text: string, span: Span): Span {
  const trimmed = trimSpan(text, span);
  const lineStart = text.lastIndexOf('\n', trimmed.start - 1) + 1;
  return { start: Math.max(span.start, Math.min(lineStart, trimmed.start)), end: trimmed.end };
}
