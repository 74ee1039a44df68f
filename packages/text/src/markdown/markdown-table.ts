import { type Span, sliceSpan, trimSpan } from '#span';

export interface TableRow extends Span {
  /** The trimmed cells, including empty ones, so that columns match the header. */
  readonly cells: readonly Span[];
}

export interface TableBlock {
  readonly kind: 'table';
  /** Column names; empty if the table has no header (a part of a long table). */
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
}

const DIVIDER_CELL = /^:?-+:?$/;

/** Reads consecutive pipe-table lines. The first row is the header if a divider follows it. */
export function readTable(text: string, lines: readonly Span[]): TableBlock {
  const divider = lines.findIndex((line) => isDivider(text, line));
  const first = lines[0];
  const header = divider === 1 && first ? cellsOf(text, first).map((cell) => plainCell(sliceSpan(text, cell))) : [];
  const body = divider === 1 ? lines.slice(2) : lines.filter((_, at) => at !== divider);
  return { kind: 'table', header, rows: body.map((line) => ({ ...trimSpan(text, line), cells: cellsOf(text, line) })) };
}

function isDivider(text: string, line: Span): boolean {
  const cells = cellsOf(text, line);
  return cells.length > 0 && cells.every((cell) => DIVIDER_CELL.test(sliceSpan(text, cell)));
}

/** Returns a cell without Markdown emphasis, as a label. */
export function plainCell(cell: string): string {
  return cell.replace(/[*_`]/g, '').trim();
}

function cellsOf(text: string, line: Span): Span[] {
  const cells: Span[] = [];
  const { start, end } = trimSpan(text, line);
  let open = text[start] === '|' ? start + 1 : start;
  for (let at = open; at < end; at += 1) {
    if (text[at] !== '|' || text[at - 1] === '\\') continue;
    cells.push(trimSpan(text, { start: open, end: at }));
    open = at + 1;
  }
  if (open < end) cells.push(trimSpan(text, { start: open, end }));
  return cells;
}
