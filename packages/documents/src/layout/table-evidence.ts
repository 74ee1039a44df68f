import { type ColumnBlock, cellsOf } from '#layout/column-block';

const number =
  /^[-+(–—]?\s*(?:[€$£¥]|[A-Z]{3}(?=\s?\d))?\s*[\d.,:'’/\s%-]*\d[\d.,:'’/\s%-]*\s*(?:[%€$£¥)*†]|[A-Za-z]{1,4}[²³]?)?\)?$/;
/** Longer cells are text. The pattern of numbers takes quadratic time. */
const maxNumberChars = 40;
/** Other patterns read only the beginning of a cell: they take quadratic time too. */
const maxEvidenceChars = 300;

/** Returns true for the text of a number, also with a unit. */
export const isNumber = (cell: string): boolean => cell.length <= maxNumberChars && number.test(cell);

const blankValue = /^(?:[-–—]|n\/?a|\.)$/i;

/** Returns true for what a column of numbers contains: a number, or a mark that there is none. */
export const isNumberOrNone = (cell: string): boolean => isNumber(cell) || blankValue.test(cell);

/** Dots or lines that lead the eye to a page number, or that a form leaves to fill in. */
const leader = /\.{4,}|(?:\. ){4,}|…{2,}|_{4,}|(?:· ){3,}/;
const marker = /^(?:[•▪◦‣●○■□–*-]|\(?(?:\d{1,3}|[a-z]|[ivxl]{1,5})[.)]|\[\d+\])$/i;
const code =
  /[{};]\s*$|=>|[=!]=|\+=|\)\s*[{:]$|^\s*(?:\/\/|#\w|\/\*|\*\s|import |return\b|def |const |let |var )|\w\(.*\)/;
/** A line of a hexadecimal dump. */
const dump = /^(?:[0-9a-f]{2} ){3,}/i;
/** An entry of the index of a book. */
const indexEntry = /\p{L}, ?\d{1,4}(?:[-–, ]+\d{1,4})*$/u;
const pageColumn = /^(?:page|pages|seite|seiten|p\.|s\.)$/i;

const share = <T>(values: readonly T[], test: (value: T) => boolean): number =>
  values.length === 0 ? 0 : values.filter(test).length / values.length;

/**
 * Returns true if the lines of a column are running text: most as wide as the column, and many begin
 * in the middle of a sentence although the row has other cells. The wrapped lines of a table's cell
 * have no other cells next to them.
 */
export const isProse = (block: ColumnBlock, column: number): boolean => {
  const rows = block.rows.map((row) => cellsOf(block, row));
  const cells = rows.map((row) => row[column]);
  const filled = cells.filter((cell) => cell !== undefined);
  if (filled.length < 4 || filled.length < cells.length * 0.7) return false;
  const width = Math.max(...filled.map(({ right }) => right)) - Math.min(...filled.map(({ left }) => left));
  const meanWidth = filled.reduce((sum, { left, right }) => sum + right - left, 0) / filled.length;
  const chars = filled.reduce((sum, { text }) => sum + text.length, 0) / filled.length;
  const isMiddle = rows.filter(
    (row, index) =>
      /^\p{Ll}/u.test(cells[index]?.text ?? '') && row.some((cell, other) => other !== column && cell !== undefined),
  ).length;
  return chars >= 16 && meanWidth > width * 0.65 && isMiddle >= filled.length * 0.3;
};

/** Returns true if the columns were written one after the other, like the columns of a page. */
const isWrittenByColumn = (block: ColumnBlock): boolean => {
  let [pairs, byColumn] = [0, 0];
  for (const [index, row] of block.rows.slice(1).entries()) {
    const above = cellsOf(block, block.rows[index] ?? row);
    const [first] = cellsOf(block, row).filter((cell) => cell !== undefined);
    const last = above.findLast((cell) => cell !== undefined);
    if (!first || !last || first.left >= last.left) continue;
    pairs++;
    if (last.line > first.line) byColumn++;
  }
  return pairs > 0 && byColumn > pairs * 0.5;
};

/** Returns true for the entries of a table of contents, which end with growing page numbers. */
const isContents = (rows: readonly (readonly string[])[]): boolean => {
  const last = rows.map((row) => row.at(-1) ?? '').filter((cell) => cell !== '');
  const [head = '', ...rest] = last;
  if (rows[0]?.length !== undefined && rows[0].length > 3) return false;
  const pages = /^\d{1,4}$/.test(head) ? last : pageColumn.test(head) ? rest : [];
  const isGrowing = pages.every(
    (page, index) => /^\d{1,4}$/.test(page) && (index === 0 || Number(page) >= Number(pages[index - 1])),
  );
  return pages.length >= rows.length * 0.7 && isGrowing;
};

const isNumbered = (cells: readonly string[]): boolean => {
  const filled = cells.filter((cell) => cell !== '');
  return (
    filled.every((cell) => /^\d+$/.test(cell)) &&
    filled.every((cell, index) => index === 0 || Number(cell) > Number(filled[index - 1]))
  );
};

/** Returns true if a block is a list, a form, code or a table of contents. */
const isOtherText = (columns: readonly (readonly string[])[], rows: readonly (readonly string[])[]): boolean => {
  const filled = columns.flat().filter((cell) => cell !== '');
  const [first = []] = columns;
  const firstFilled = first.filter((cell) => cell !== '');
  if (share(filled, (cell) => indexEntry.test(cell)) > 0.5) return true;
  if (share(filled, (cell) => leader.test(cell)) > 0.15) return true;
  const isCode = (cell: string): boolean => code.test(cell) || dump.test(`${cell} `);
  if (share(rows, (row) => row.some((cell) => isCode(cell.slice(0, maxEvidenceChars)))) > 0.25) return true;
  if (share(firstFilled, (cell) => marker.test(cell)) > 0.6 && columns.length === 2) return true;
  if (columns.some((column) => share(column.filter(Boolean), (cell) => /[:：]$/.test(cell)) >= 0.4)) return true;
  if (columns.length === 2 && isNumbered(first)) return true;
  return isContents(rows);
};

const minFullRows = 3;

/** Returns true if a block of columns is a table. `ruleCount` is the number of lines across it. */
export const isTable = (block: ColumnBlock, ruleCount: number): boolean => {
  const rows = block.rows.map((row) => cellsOf(block, row).map((cell) => cell?.text ?? ''));
  const count = block.columns.length;
  const columns = block.columns.map((_column, index) => rows.map((row) => row[index] ?? ''));
  const fullRows = rows.filter((row) => row.filter((cell) => cell !== '').length >= 2).length;
  if (count < 2 || fullRows < minFullRows || isOtherText(columns, rows)) return false;
  const isRuled = ruleCount >= 2;
  if (!isRuled && isWrittenByColumn(block)) return false;
  const numeric = columns.filter((column) => {
    const values = column.slice(1).filter((cell) => cell !== '' && !blankValue.test(cell));
    return values.length >= 2 && share(values, isNumber) >= 0.6;
  }).length;
  const filled = columns.flat().filter((cell) => cell !== '');
  const fullness = filled.length / (rows.length * count);
  const meanChars = filled.reduce((sum, cell) => sum + cell.length, 0) / filled.length;
  if (isRuled && (count >= 3 || numeric > 0 || ruleCount >= fullRows * 0.6)) return true;
  if (numeric > 0) return fullness >= 0.5;
  return count >= 3 && fullRows >= 5 && fullness >= 0.75 && meanChars <= 25;
};
