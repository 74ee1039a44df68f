import { openCompoundFile } from '#compound/compound-file';
import { summaryOf } from '#compound/summary-information';
import { openWordFile, type RawParagraph } from '#formats/doc/word-file';
import type { FormatParser } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';
import { hasHeader } from '#text/has-header';

const FIELD_BEGIN = '\u0013';
const FIELD_SEPARATOR = '\u0014';
const FIELD_END = '\u0015';
const NON_BREAKING_HYPHEN = '\u001e';

/**
 * Removes the instructions of fields, for example the address of a link, and keeps their results. A
 * field is: begin, instruction, separator, result, end; the result is optional, and fields nest.
 */
function withoutInstructions(text: string): string {
  if (!text.includes(FIELD_BEGIN)) return text;
  const open: ('instruction' | 'result')[] = [];
  let shown = '';
  for (const char of text) {
    if (char === FIELD_BEGIN) open.push('instruction');
    else if (char === FIELD_SEPARATOR) open.splice(-1, 1, 'result');
    else if (char === FIELD_END) open.pop();
    else if (!open.includes('instruction')) shown += char;
  }
  return shown;
}

/** The text of a paragraph. The writer removes the control characters that stand for pictures and notes. */
const plainText = (text: string): string => withoutInstructions(text).replaceAll(NON_BREAKING_HYPHEN, '-');

/** Writes paragraphs as blocks. The cells of a table are collected until it ends. */
class WordBlocks {
  readonly #writer: DocumentWriter;
  #cell: string[] = [];
  #cells: string[] = [];
  #rows: string[][] = [];

  constructor(writer: DocumentWriter) {
    this.#writer = writer;
  }

  add({ text: raw, mark, properties }: RawParagraph): void {
    const text = plainText(raw);
    if (properties.isInTable || properties.endsRow) {
      this.#addToTable(text, mark, properties.endsRow);
      return;
    }
    this.endTable();
    const { style, isListItem, listLevel } = properties;
    if (style >= 1 && style <= 9) this.#writer.heading(style, text);
    else if (isListItem) this.#writer.listItem(text, listLevel);
    else this.#writer.paragraph(text);
  }

  endTable(): void {
    if (this.#cell.length > 0) this.#cells.push(this.#cell.join(' '));
    if (this.#cells.length > 0) this.#rows.push(this.#cells);
    this.#writer.table(this.#rows, { hasHeader: hasHeader(this.#rows) });
    this.#cell = [];
    this.#cells = [];
    this.#rows = [];
  }

  #addToTable(text: string, mark: string, endsRow: boolean): void {
    if (endsRow) {
      this.#rows.push(this.#cells);
      this.#cells = [];
      return;
    }
    this.#cell.push(text.trim());
    if (mark !== '\u0007') return;
    this.#cells.push(this.#cell.join(' ').trim());
    this.#cell = [];
  }
}

/**
 * Parses a document of Word 97 to 2003: headings, lists, tables, footnotes and text boxes; without
 * headers, footers, comments and pictures.
 */
export const parseDoc: FormatParser = async ({ bytes, limits }) => {
  const file = openCompoundFile(bytes);
  const { main, notes } = openWordFile(file);
  const writer = new DocumentWriter(limits.maxTextChars);
  const blocks = new WordBlocks(writer);
  for (const paragraphs of [main, notes]) {
    for (const paragraph of paragraphs) blocks.add(paragraph);
    blocks.endTable();
  }
  return { ...writer.finish(), ...summaryOf(file) };
};
