import { type ParagraphStyle, type RtfHandler, RtfReader } from '#formats/rtf/rtf-reader';
import { tokenizeRtf } from '#formats/rtf/tokenize-rtf';
import type { FormatParser } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';
import { meaningfulTitle } from '#text/meaningful-title';

/** Writes the reader's events as blocks. Table rows are collected until the table ends. */
class RtfBlocks implements RtfHandler {
  readonly #writer: DocumentWriter;
  readonly properties = new Map<string, string>();
  #cells: string[] = [];
  #rows: string[][] = [];

  constructor(writer: DocumentWriter) {
    this.#writer = writer;
  }

  paragraph(text: string, style: ParagraphStyle): void {
    this.endTable();
    if (style.headingLevel !== undefined) this.#writer.heading(style.headingLevel, text);
    else if (style.isListItem) this.#writer.listItem(text, 0);
    else this.#writer.paragraph(text);
  }

  cell(text: string): void {
    this.#cells.push(text.trim());
  }

  row(): void {
    if (this.#cells.length > 0) this.#rows.push(this.#cells);
    this.#cells = [];
  }

  info(field: string, text: string): void {
    if (text !== '') this.properties.set(field, text);
  }

  endTable(): void {
    this.row();
    this.#writer.table(this.#rows, { hasHeader: true });
    this.#rows = [];
  }
}

/**
 * Parses rich text: headings by style or outline level, lists, tables, text boxes; without headers,
 * footers and pictures.
 */
export const parseRtf: FormatParser = async ({ bytes, limits }) => {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const writer = new DocumentWriter(limits.maxTextChars);
  const blocks = new RtfBlocks(writer);
  new RtfReader(blocks).read(tokenizeRtf(source));
  blocks.endTable();
  const metadata = {
    author: blocks.properties.get('author'),
    description: blocks.properties.get('subject'),
    keywords: blocks.properties
      .get('keywords')
      ?.split(/[,;]/)
      .map((word) => word.trim()),
  };
  return { ...writer.finish(), title: meaningfulTitle(blocks.properties.get('title')), metadata };
};
