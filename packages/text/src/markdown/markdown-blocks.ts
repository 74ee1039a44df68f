import { fenceAfter, fenceBefore, headingOf } from '#markdown/line-kinds';
import { lineSpans } from '#markdown/lines';
import { readTable, type TableBlock } from '#markdown/markdown-table';
import { type Span, sliceSpan, trimSpan } from '#span';

interface HeadingBlock {
  readonly kind: 'heading';
  readonly level: number;
  readonly text: string;
}

interface ListItem extends Span {
  /** The nesting level; 0 for outermost items. */
  readonly depth: number;
}

export interface ListBlock {
  readonly kind: 'list';
  readonly ordered: boolean;
  /** The items without bullets or numbers. */
  readonly items: readonly ListItem[];
}

/** Prose, or code between fences. */
interface TextBlock extends Span {
  readonly kind: 'paragraph' | 'code';
}

export type Block = HeadingBlock | ListBlock | TableBlock | TextBlock;

const BULLET = /^(\s*)([-*+•‣▪–]|\d{1,3}[.)])\s+(?=\S)/;
const RULE = /^ {0,3}([-*_=])(?:\s*\1){2,}\s*$/;
const TABLE_LINE = /^\s*\|.*\|\s*$/;

/**
 * Returns the blocks of Markdown or plain text in order, with offsets into `text`: headings, nested
 * lists, pipe tables, fenced code and paragraphs. Accepts any text.
 */
export function markdownBlocks(text: string): Block[] {
  const lines = lineSpans(text);
  const blocks: Block[] = [];
  const fence = fenceBefore(text);
  let at = fence === undefined ? 0 : readCode(text, lines, 0, fence, blocks);
  while (at < lines.length) {
    const line = lines[at];
    if (!line) break;
    const content = sliceSpan(text, line);
    const heading = headingOf(content);
    if (heading) {
      blocks.push({ kind: 'heading', ...heading });
      at += 1;
    } else if (content.trim() === '' || RULE.test(content)) {
      at += 1;
    } else if (startsCode(content)) {
      at = readCode(text, lines, at + 1, fenceAfter(content, undefined), blocks);
    } else if (BULLET.test(content)) {
      at = readList(text, lines, at, blocks);
    } else if (TABLE_LINE.test(content)) {
      const rows = runOf(text, lines, at, (row) => TABLE_LINE.test(row));
      blocks.push(readTable(text, rows));
      at += rows.length;
    } else {
      at = readParagraph(text, lines, at, blocks);
    }
  }
  return blocks;
}

/** Reads the lines below an opening fence, and returns the line below the closing one. */
function readCode(
  text: string,
  lines: readonly Span[],
  from: number,
  fence: string | undefined,
  blocks: Block[],
): number {
  const body = runOf(text, lines, from, (line) => fenceAfter(line, fence) === fence);
  pushText('code', text, body, blocks);
  return from + body.length + 1;
}

function readParagraph(text: string, lines: readonly Span[], from: number, blocks: Block[]): number {
  const first = lines[from];
  const body = runOf(text, lines, from + 1, (line) => line.trim() !== '' && !startsBlock(line));
  pushText('paragraph', text, first ? [first, ...body] : body, blocks);
  return from + 1 + body.length;
}

function startsBlock(line: string): boolean {
  return (
    headingOf(line) !== undefined || startsCode(line) || BULLET.test(line) || TABLE_LINE.test(line) || RULE.test(line)
  );
}

/** A deeper indented fence belongs to the list item above it. */
function startsCode(line: string): boolean {
  return /^ {0,3}[`~]/.test(line) && fenceAfter(line, undefined) !== undefined;
}

function readList(text: string, lines: readonly Span[], from: number, blocks: Block[]): number {
  const items: { indent: number; start: number; end: number }[] = [];
  let ordered = false;
  let at = from;
  let blank = false;
  for (; at < lines.length; at += 1) {
    const line = lines[at];
    if (!line) break;
    const content = sliceSpan(text, line);
    const bullet = BULLET.exec(content);
    const last = items.at(-1);
    if (bullet) {
      if (items.length === 0) ordered = /\d/.test(bullet[2] ?? '');
      items.push({ indent: bullet[1]?.length ?? 0, start: line.start + bullet[0].length, end: line.end });
    } else if (content.trim() === '') {
      blank = true;
      continue;
    } else if (last && !startsBlock(content) && (!blank || /^\s{2,}/.test(content))) {
      last.end = line.end;
    } else break;
    blank = false;
  }
  const indents = [...new Set(items.map((item) => item.indent))].sort((a, b) => a - b);
  blocks.push({
    kind: 'list',
    ordered,
    items: items.map(({ indent, ...span }) => ({ ...trimSpan(text, span), depth: indents.indexOf(indent) })),
  });
  return at;
}

function pushText(kind: TextBlock['kind'], text: string, lines: readonly Span[], blocks: Block[]): void {
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) return;
  const span = trimSpan(text, { start: first.start, end: last.end });
  if (span.end > span.start) blocks.push({ kind, ...span });
}

function runOf(text: string, lines: readonly Span[], from: number, belongs: (line: string) => boolean): Span[] {
  const run: Span[] = [];
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at];
    if (!line || !belongs(sliceSpan(text, line))) break;
    run.push(line);
  }
  return run;
}
