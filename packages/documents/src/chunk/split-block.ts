import { estimateTokens, isSpace, offsetAfterTokens, type Span, splitSentences } from '@lectern/text';
import type { Block } from '#chunk/scan-blocks';

/** The unit of packing: a whole block, or a piece of one that is too large. */
export interface Unit extends Span {
  readonly kind: Block['kind'];
  readonly tokens: number;
}

const trimmed = (text: string, start: number, end: number): Span => {
  let from = start;
  let to = end;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return { start: from, end: to };
};

/** Yields the lines between two offsets; with `paragraphs`, the runs between blank lines. */
function* lines(text: string, start: number, end: number, paragraphs: boolean): Generator<Span> {
  let from = start;
  let contentEnd = start;
  let at = start;
  while (at < end) {
    const found = text.indexOf('\n', at);
    const stop = found === -1 || found > end ? end : found;
    const line = trimmed(text, at, stop);
    const blank = line.start === line.end;
    if (!blank) contentEnd = line.end;
    if (blank === paragraphs && contentEnd > from) {
      yield { start: from, end: contentEnd };
      from = stop + 1;
      contentEnd = from;
    } else if (blank) {
      from = stop + 1;
      contentEnd = from;
    }
    at = stop + 1;
  }
  if (contentEnd > from) yield { start: from, end: contentEnd };
}

const splitsSurrogates = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;

/**
 * Cuts at the last line break or space in the second half of the budget, else between characters.
 */
const cutWithin = (text: string, start: number, end: number, budget: number): number => {
  const furthest = offsetAfterTokens(text, start, end, budget);
  if (furthest >= end) return end;
  const half = start + Math.floor((furthest - start) / 2);
  let blank = -1;
  for (let at = furthest; at > half; at--) {
    const code = text.charCodeAt(at);
    if (code === 10) return at;
    if (blank === -1 && isSpace(code)) blank = at;
  }
  if (blank !== -1) return blank;
  const cut = splitsSurrogates(text, furthest) ? furthest - 1 : furthest;
  return cut > start ? cut : Math.min(end, start + 2);
};

function* hardCuts(text: string, start: number, end: number, budget: number): Generator<Span> {
  let from = start;
  while (from < end) {
    const cut = cutWithin(text, from, end, budget);
    const piece = trimmed(text, from, cut);
    if (piece.end > piece.start) yield piece;
    from = cut;
  }
}

type Splitter = (text: string, start: number, end: number) => Generator<Span>;

const asSentences: Splitter = (text, start, end) => splitSentences(text, { start, end }, 'chunk');
const asLines: Splitter = (text, start, end) => lines(text, start, end, false);
const asParagraphs: Splitter = (text, start, end) => lines(text, start, end, true);

/** The splitters of each kind of block; each is applied to pieces that are still too large. */
const splitters: Readonly<Record<Block['kind'], readonly Splitter[]>> = {
  heading: [],
  prose: [asSentences],
  table: [asLines],
  code: [asParagraphs, asLines],
};

function* splitSpan(
  text: string,
  span: Span,
  budget: number,
  ways: readonly Splitter[],
): Generator<Span & { tokens: number }> {
  const tokens = estimateTokens(text, span.start, span.end);
  if (tokens <= budget) {
    yield { start: span.start, end: span.end, tokens };
    return;
  }
  const [way, ...rest] = ways;
  if (way) {
    for (const part of way(text, span.start, span.end)) yield* splitSpan(text, part, budget, rest);
    return;
  }
  for (const part of hardCuts(text, span.start, span.end, budget)) {
    yield { ...part, tokens: estimateTokens(text, part.start, part.end) };
  }
}

/**
 * Splits a block into units of at most `budget` tokens: prose at sentence ends, tables at rows,
 * code at blank lines and then lines, and all else at spaces or between characters. Never splits a
 * surrogate pair.
 */
export function* splitBlock(text: string, block: Block, budget: number): Generator<Unit> {
  for (const part of splitSpan(text, block, budget, splitters[block.kind])) {
    yield { kind: block.kind, start: part.start, end: part.end, tokens: part.tokens };
  }
}
