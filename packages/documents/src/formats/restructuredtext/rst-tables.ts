import { eastAsianWidth } from 'get-east-asian-width';

const gridLine = /^\+(?:[-=]+\+)+$/;
const simpleLine = /^=+(?: +=+)+$/;

/** The most lines of a table that are looked at. */
export const maxTableLines = 5_000;

/** A table, and the number of lines that it takes. */
export interface RstTable {
  readonly rows: readonly (readonly string[])[];
  readonly lines: number;
}

/** Returns what is in each column of a line on a screen: a wide letter takes two, its marks none. */
const screenColumns = (line: string): string[] => {
  const columns: string[] = [];
  for (const letter of line) {
    if (/^(?:\p{M}|\u200d)$/u.test(letter) && columns.length > 0) {
      const last = columns.at(-1) === '' ? columns.length - 2 : columns.length - 1;
      columns[last] = `${columns[last] ?? ''}${letter}`;
    } else {
      columns.push(letter);
      if (eastAsianWidth(letter.codePointAt(0) ?? 0) === 2) columns.push('');
    }
  }
  return columns;
};

const isBorder = (letter: string | undefined): boolean => letter === '-' || letter === '=';

/** Returns the places where a line of a grid has an edge: the others are inside of a cell that spans columns. */
const cutsOf = (columns: readonly string[], edges: readonly number[]): number[] =>
  edges.filter((edge) => {
    if (columns[edge] === '|') return true;
    return columns[edge] === '+' && (isBorder(columns[edge - 1]) || isBorder(columns[edge + 1]));
  });

/** Reads a grid table: cells framed by `+`, `-`, `=` and `|`. Cells can have several lines, and span columns and rows. */
const readGrid = (lines: readonly string[]): RstTable | undefined => {
  const [first = ''] = lines;
  if (!gridLine.test(first.trim())) return undefined;
  const indent = first.indexOf('+');
  let count = 1;
  while (/^\s*[+|]/.test(lines[count] ?? '') && (lines[count] ?? '').search(/\S/) === indent) count++;
  if (count < 3) return undefined;
  const table = lines.slice(0, count).map(screenColumns);
  const found = new Set<number>();
  for (const columns of table)
    for (const [index, letter] of columns.entries())
      if (letter === '+' && (isBorder(columns[index - 1]) || isBorder(columns[index + 1]))) found.add(index);
  const edges = [...found].sort((a, b) => a - b);
  const newRow = (): string[][] => edges.slice(1).map(() => []);
  const rows: string[][][] = [];
  // A cell that spans rows collects its text where it began.
  const cells = newRow();
  for (const columns of table) {
    const cuts = cutsOf(columns, edges);
    let row: string[][] | undefined;
    for (const [index, cut] of cuts.entries()) {
      const next = cuts[index + 1];
      // Text behind the last edge belongs to the cell before it.
      if (next === undefined && index > 0) break;
      const isLast = index + 2 >= cuts.length;
      const part = columns.slice(cut + 1, isLast ? undefined : next).join('');
      const [from, to] = [edges.indexOf(cut), next === undefined ? edges.length - 1 : edges.indexOf(next)];
      const text = part.replace(isLast ? /[|+]\s*$/ : /$^/, '').trim();
      if (/^[-=]+(?:\+[-=]+)*$/.test(text)) {
        if (row === undefined) {
          row = newRow();
          rows.push(row);
        }
        for (let column = from; column < to; column++) cells[column] = row[column] ?? [];
      } else if (text !== '') cells[from]?.push(text);
    }
  }
  const texts = rows.map((row) => row.map((parts) => parts.join(' ')));
  return { rows: texts.filter((row) => row.some((text) => text !== '')), lines: count };
};

/** Returns the cells of a row of a simple table. Text in the blank before a column belongs to the cell before it. */
const simpleCells = (line: string, starts: readonly number[]): string[] => {
  const columns = screenColumns(line);
  const cells: string[] = [];
  let open = 0;
  for (const [index, start] of starts.entries()) {
    const isSpanned = index > 0 && (columns[start - 1] ?? ' ').trim() !== '';
    if (!isSpanned) open = index;
    const end = starts[index + 1];
    const from = index === 0 ? 0 : start;
    cells.push('');
    cells[open] += columns.slice(from, end).join('');
  }
  return cells.map((cell) => cell.trim());
};

/** Reads a simple table: columns below lines of `=`. A row with an empty first cell continues the last one. */
const readSimple = (lines: readonly string[]): RstTable | undefined => {
  const [first = ''] = lines;
  if (!simpleLine.test(first.trim())) return undefined;
  const starts = [...first.matchAll(/=+/g)].map(({ index }) => index);
  const rows: string[][] = [];
  let borders = 1;
  let count = 1;
  for (; count < lines.length; count++) {
    const line = lines[count] ?? '';
    if (simpleLine.test(line.trim())) {
      borders++;
      const next = (lines[count + 1] ?? '').trim();
      if (borders >= 3 || next === '') return { rows, lines: count + 1 };
      continue;
    }
    if (/^\s*-+(?: +-+)*\s*$/.test(line) || line.trim() === '') continue;
    const cells = simpleCells(line, starts);
    const above = rows.at(-1);
    if (cells[0] === '' && above) {
      for (const [index, cell] of cells.entries())
        if (cell !== '') above[index] = `${above[index] ?? ''} ${cell}`.trim();
    } else rows.push(cells);
  }
  // The end of a very long table was not looked at.
  return count >= maxTableLines && borders === 2 ? { rows, lines: count } : undefined;
};

/** Reads the table that begins with the first of these lines. */
export const readRstTable = (lines: readonly string[]): RstTable | undefined => readGrid(lines) ?? readSimple(lines);
