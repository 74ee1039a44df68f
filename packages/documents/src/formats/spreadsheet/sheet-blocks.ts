import type { CellObject, WorkSheet } from '@e965/xlsx';

/** Returns the formatted text of a cell, followed by its comment. */
const cellText = (cell: CellObject): string => {
  const shown = cell.w ?? (cell.v === undefined ? '' : String(cell.v));
  const comment = cell.c
    ?.map(({ t }) => t?.trim())
    .filter(Boolean)
    .join('; ');
  return comment ? `${shown} (${comment})` : shown;
};

interface FilledRow {
  readonly index: number;
  readonly cells: ReadonlyMap<number, string>;
}

/**
 * Rows with content. One stray cell can extend a sheet to row 1,048,576, so holes are never
 * visited.
 */
const filledRows = (sheet: WorkSheet): FilledRow[] => {
  const rows: FilledRow[] = [];
  sheet['!data']?.forEach((row, index) => {
    const cells = new Map<number, string>();
    row?.forEach((cell, column) => {
      const text = cell ? cellText(cell).trim() : '';
      if (text !== '') cells.set(column, text);
    });
    if (cells.size > 0) rows.push({ index, cells });
  });
  return rows;
};

const asTable = (rows: readonly FilledRow[]): string[][] => {
  const columns = [...new Set(rows.flatMap((row) => [...row.cells.keys()]))].sort((a, b) => a - b);
  return rows.map((row) => columns.map((column) => row.cells.get(column) ?? ''));
};

/** Yields the tables of a sheet: runs of rows between empty ones. */
export function* sheetBlocks(sheet: WorkSheet | undefined): Generator<string[][]> {
  let block: FilledRow[] = [];
  for (const row of sheet ? filledRows(sheet) : []) {
    const last = block.at(-1);
    if (last && row.index > last.index + 1) {
      yield asTable(block);
      block = [];
    }
    block.push(row);
  }
  if (block.length > 0) yield asTable(block);
}
