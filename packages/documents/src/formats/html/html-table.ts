import type { CellRenderer } from '#formats/html/render-html';
import { descendants, isElement, type MarkupElement } from '#markup/element';
import type { DocumentWriter } from '#text/document-writer';

/** Returns the rows of a table, without those of nested tables. */
const rowsOf = (table: MarkupElement): MarkupElement[] =>
  table.children.filter(isElement).flatMap((child) => {
    if (child.name === 'tr') return [child];
    return ['thead', 'tbody', 'tfoot'].includes(child.name) ? rowsOf(child) : [];
  });

const cellsOf = (row: MarkupElement): MarkupElement[] =>
  row.children.filter(isElement).filter(({ name }) => name === 'td' || name === 'th');

const flowNames = new Set(['table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'form']);

/**
 * Returns true for a table used only for layout: it contains headings or other tables, or has one
 * row or column.
 */
const isLayout = (table: MarkupElement, rows: readonly MarkupElement[]): boolean => {
  for (const element of descendants(table)) if (flowNames.has(element.name)) return true;
  return table.attributes.role === 'presentation' || rows.length <= 1 || rows.every((row) => cellsOf(row).length <= 1);
};

/** The maximum number of columns that a cell can span; a larger value is a mistake or an attack. */
const maxSpan = 50;

const cellTexts = (row: MarkupElement, render: CellRenderer): string[] =>
  cellsOf(row).flatMap((cell) => {
    const span = Math.min(maxSpan, Math.max(1, Number.parseInt(cell.attributes.colspan ?? '1', 10) || 1));
    return [render.inlineText(cell).trim(), ...Array.from({ length: span - 1 }, () => '')];
  });

/**
 * Writes a table, with the first row as column names. For a layout table, writes only the contents.
 */
export const renderTableElement = (table: MarkupElement, writer: DocumentWriter, render: CellRenderer): void => {
  const caption = table.children.filter(isElement).find(({ name }) => name === 'caption');
  if (caption) render.blocks(caption.children);
  const rows = rowsOf(table);
  if (isLayout(table, rows)) {
    for (const row of rows) for (const cell of cellsOf(row)) render.blocks(cell.children);
    return;
  }
  writer.table(
    rows.map((row) => cellTexts(row, render)),
    { hasHeader: true },
  );
};
