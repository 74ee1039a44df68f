import type { Candidate, ScoredCandidate } from '@lectern/grounding';
import { type Span, sectionSpans, sliceSpan, trimSpan } from '@lectern/text';

/** A part of a passage that answers a question as a whole. */
export interface FoundSection {
  /** The best unit in it. */
  readonly lead: Candidate;
  /** Verbatim from the passage, with its formatting. */
  readonly text: string;
}

/** A section is considered if its best unit scores at least this share of the best unit. */
const CLOSE_TO_BEST = 0.88;
/** The maximum length of a quoted section, in UTF-16 code units. It fits into a default reply. */
const MAX_LENGTH = 2_400;

/**
 * Returns the section with the instructions that answer best: numbered steps or code, otherwise
 * any list. Undefined if prose or a row of a table answers better. `scored` is best first.
 */
export function selectInstructions(scored: readonly ScoredCandidate[]): FoundSection | undefined {
  const best = scored[0];
  if (!best) return undefined;
  const close = scored.filter(({ score }) => score >= best.score * CLOSE_TO_BEST).map(({ candidate }) => candidate);
  if (isInTable(best.candidate)) return undefined;
  const sections = close.filter((lead) => !isInTable(lead)).flatMap((lead) => sectionOf(lead) ?? []);
  return sections.find(({ text }) => STEPS.test(text)) ?? sections.find(({ text }) => ITEMS.test(text));
}

const isInTable = ({ unit: { kind } }: Candidate): boolean => kind === 'table_row' || kind === 'table_cell';

/** Numbered steps or fenced code. */
const STEPS = /^ *(?:\d{1,3}[.)]\s+\S|```|~~~)/m;
const ITEMS = /^ *[-*+•]\s+\S/m;

/**
 * Returns the section of a unit, without its heading. A long section is reduced to the blocks
 * around the unit. Undefined if the unit's own block is too long.
 */
export function sectionOf(lead: Candidate): FoundSection | undefined {
  const passage = lead.source.passages[lead.passageIndex]?.text ?? '';
  const { unit } = lead;
  const section = sectionSpans(passage).find(({ end }) => unit.start < end);
  if (!section) return undefined;
  const body = trimLines(passage, { start: section.bodyStart, end: section.end });
  const part = body.end - body.start <= MAX_LENGTH ? body : blocksAround(passage, body, unit);
  const text = part === undefined ? '' : sliceSpan(passage, part);
  return text === '' ? undefined : { lead, text };
}

/** Returns the blocks around a unit that fit: its own, its lead-in, then those after and before. */
function blocksAround(passage: string, body: Span, unit: Span): Span | undefined {
  const blocks = blocksOf(passage, body);
  let first = blocks.findIndex(({ end }) => unit.start < end);
  let last = first;
  const fits = (from: number, to: number): boolean => {
    const [start, end] = [blocks[from], blocks[to]];
    return start !== undefined && end !== undefined && end.end - start.start <= MAX_LENGTH;
  };
  if (!fits(first, last)) return undefined;
  const before = blocks[first - 1];
  if (before && /:$/.test(sliceSpan(passage, before)) && fits(first - 1, last)) first -= 1;
  while (fits(first, last + 1)) last += 1;
  while (fits(first - 1, last)) first -= 1;
  return { start: blocks[first]?.start ?? body.start, end: blocks[last]?.end ?? body.end };
}

/** Splits a text at its blank lines, except those in fenced code. */
function blocksOf(passage: string, { start, end }: Span): Span[] {
  const blocks: Span[] = [];
  let open: Span | undefined;
  let inCode = false;
  for (const line of sliceSpan(passage, { start, end }).matchAll(/.*(?:\n|$)/g)) {
    if (line[0] === '') continue;
    const span = { start: start + line.index, end: start + line.index + line[0].trimEnd().length };
    if (/^ *(?:```|~~~)/.test(line[0])) inCode = !inCode;
    if (!inCode && line[0].trim() === '') {
      if (open) blocks.push(open);
      open = undefined;
    } else open = { start: open?.start ?? span.start, end: Math.max(span.end, open?.end ?? 0) };
  }
  if (open) blocks.push(open);
  return blocks;
}

/** Trims blank lines at the start, and all white space at the end: indentation is formatting. */
function trimLines(text: string, span: Span): Span {
  const trimmed = trimSpan(text, span);
  const lineStart = text.lastIndexOf('\n', trimmed.start - 1) + 1;
  return { start: Math.max(span.start, Math.min(lineStart, trimmed.start)), end: trimmed.end };
}
