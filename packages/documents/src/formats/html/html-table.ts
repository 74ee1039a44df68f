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

const spanOf = (value: string | undefined, none: number): number => {
  const span = Number.parseInt(value ?? '1', 10);
  return span === 0 ? none : Math.max(1, span || 1);
};

/** Returns the texts of rows. Columns that a cell spans, and rows below it, are empty there. */
const tableTexts = (rows: readonly MarkupElement[], render: CellRenderer): string[][] => {
  /** The number of rows that the last cell of each column still spans. */
  const spanned: number[] = [];
  return rows.map((row) => {
    const texts: string[] = [];
    const skipSpanned = (): void => {
      while ((spanned[texts.length] ?? 0) > 0) {
        spanned[texts.length] = (spanned[texts.length] ?? 0) - 1;
        texts.push('');
      }
    };
    for (const cell of cellsOf(row)) {
      skipSpanned();
      const height = spanOf(cell.attributes.rowspan, rows.length);
      const width = Math.min(maxSpan, spanOf(cell.attributes.colspan, 1));
      for (let index = 0; index < width; index++) {
        spanned[texts.length] = height - 1;
        texts.push(index === 0 ? render.inlineText(cell).trim() : '');
      }
    }
    skipSpanned();
    for (let column = texts.length; column < spanned.length; column++)
      spanned[column] = Math.max(0, (spanned[column] ?? 0) - 1);
    return texts;
  });
};

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
  writer.table(tableTexts(rows, render), { hasHeader: true });
};
