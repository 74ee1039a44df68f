import { ParseError } from '#parse-error';
import { cleanText, oneLine } from '#text/clean-text';
import { type CellPlace, renderTable, type TableOptions } from '#text/render-table';

/** Matches text at the start of a line that would be read as structure. */
const looksStructural = /^(?:#{1,6}\s|```|~~~|\|)/gm;

/** A block of a document. */
export interface WrittenBlock {
  /** Its text, with markup. Empty if nothing was written. */
  readonly text: string;
  /** Its offset in the document. */
  readonly start: number;
}

/** A block of a table. */
export interface WrittenTable extends WrittenBlock {
  readonly cells: readonly CellPlace[];
}

/** A document in the normal form. */
export interface WrittenText {
  readonly text: string;
  readonly pageOffsets: readonly number[] | undefined;
}

/**
 * Writes the normal form that every parser returns and `chunkText` reads: plain text with a blank
 * line between blocks; headings as `# …` to `###### …`, list items as `- …` or `1. …` (two spaces
 * per level), GFM tables, fenced code. Structure counts only at the start of a line, so a paragraph
 * that looks like structure is indented by one space. Page offsets are returned separately.
 */
export class DocumentWriter {
  readonly #maxChars: number;
  readonly #parts: string[] = [];
  readonly #pageOffsets: number[] = [];
  #length = 0;
  #inList = false;
  #pageWaiting = false;

  /** @param maxChars longest text in UTF-16 units; a longer one throws ParseError `too_large` */
  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  heading(level: number, text: string): WrittenBlock {
    const line = oneLine(text);
    return this.#block(line === '' ? '' : `${'#'.repeat(Math.min(6, Math.max(1, level)))} ${line}`);
  }

  /** Writes text without markup; line breaks in it stay. */
  paragraph(text: string): WrittenBlock {
    return this.#block(cleanText(text).trim().replace(looksStructural, ' $&'));
  }

  /** @param depth 0 for the outermost list @param ordinal the number of an ordered item */
  listItem(text: string, depth: number, ordinal?: number): WrittenBlock {
    const lines = cleanText(text).trim();
    if (lines === '') return { text: '', start: this.#length };
    const indent = '  '.repeat(Math.min(depth, 8));
    const marker = ordinal === undefined ? '-' : `${ordinal}.`;
    const content = `${indent}${marker} ${lines.replaceAll('\n', `\n${indent}  `)}`;
    const block = this.#block(content, this.#inList ? '\n' : '\n\n');
    this.#inList = true;
    return block;
  }

  /** Starts a new list with the next list item. */
  endList(): void {
    this.#inList = false;
  }

  table(rows: readonly (readonly string[])[], options: TableOptions): void {
    for (const { text } of renderTable(rows, options)) this.#block(text);
  }

  /** Writes a table, and returns where its cells are. */
  placedTable(rows: readonly (readonly string[])[], options: TableOptions): WrittenTable[] {
    return [...renderTable(rows, options)].map(({ text, cells }) => ({ ...this.#block(text), cells }));
  }

  code(text: string, language = ''): void {
    const body = cleanText(text).replace(/^\n+|\s+$/g, '');
    if (body === '') return;
    const longest = body.match(/^`{3,}/gm)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0;
    const fence = '`'.repeat(Math.max(3, longest + 1));
    this.#block(`${fence}${language}\n${body}\n${fence}`);
  }

  /** Writes text that is already in the normal form. */
  normalized(text: string): void {
    this.#block(cleanText(text).replace(/^\s*\n|\s+$/g, ''));
  }

  /** Starts a new page with the next block. */
  startPage(): void {
    this.#flushPage();
    this.#pageWaiting = true;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  finish(): WrittenText {
    this.#flushPage();
    return {
      text: this.#parts.join(''),
      pageOffsets: this.#pageOffsets.length > 0 ? this.#pageOffsets : undefined,
    };
  }

  /** Records the start of an empty page: the end of the text so far. */
  #flushPage(): void {
    if (this.#pageWaiting) this.#pageOffsets.push(this.#length);
    this.#pageWaiting = false;
  }

  #block(text: string, separator = '\n\n'): WrittenBlock {
    this.#inList = false;
    if (text === '') return { text, start: this.#length };
    const gap = this.#length > 0 ? separator : '';
    this.#length += gap.length;
    this.#flushPage();
    this.#length += text.length;
    if (this.#length > this.#maxChars) throw tooMuchText(this.#maxChars);
    this.#parts.push(gap, text);
    return { text, start: this.#length - text.length };
  }
}

/** Returns the error for a file whose text exceeds the limit. */
export const tooMuchText = (maxChars: number): ParseError =>
  new ParseError(
    'too_large',
    `The text of this file is longer than the limit of ${maxChars.toLocaleString('en')} characters. Split the file and upload the parts.`,
  );
