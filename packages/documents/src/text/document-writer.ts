import { ParseError } from '#parse-error';
import { cleanText, oneLine } from '#text/clean-text';
import { renderTable, type TableOptions } from '#text/render-table';

/** A line that would read as structure if it stood at the start of a line. */
const looksStructural = /^(?:#{1,6}\s|```|~~~|\|)/gm;

/** A document in the normal form. */
export interface WrittenText {
  readonly text: string;
  readonly pageOffsets: readonly number[] | undefined;
}

/**
 * Writes the one normal form that every format is turned into and that `chunkText` reads: plain text in which blocks are
 * parted by a blank line, headings are `# …` to `###### …`, list items `- …` or `1. …` (two blanks deeper a level),
 * tables GFM tables, code fenced. Structure counts only at the start of a line, so a paragraph that merely looks like
 * structure is moved in by one blank. Pages are not in the text: their offsets are kept beside it.
 */
export class DocumentWriter {
  readonly #maxChars: number;
  readonly #parts: string[] = [];
  readonly #pageOffsets: number[] = [];
  #length = 0;
  #inList = false;
  #pageWaiting = false;

  /** @param maxChars longest text in UTF-16 units; going past it throws a ParseError `too_large` */
  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  heading(level: number, text: string): void {
    const line = oneLine(text);
    if (line !== '') this.#block(`${'#'.repeat(Math.min(6, Math.max(1, level)))} ${line}`);
  }

  /** Text of a source without markup of its own; line breaks inside it stay. */
  paragraph(text: string): void {
    this.#block(cleanText(text).trim().replace(looksStructural, ' $&'));
  }

  /** @param depth 0 for the outermost list @param ordinal the number of an ordered item */
  listItem(text: string, depth: number, ordinal?: number): void {
    const lines = cleanText(text).trim();
    if (lines === '') return;
    const indent = '  '.repeat(Math.min(depth, 8));
    const marker = ordinal === undefined ? '-' : `${ordinal}.`;
    this.#block(`${indent}${marker} ${lines.replaceAll('\n', `\n${indent}  `)}`, this.#inList ? '\n' : '\n\n');
    this.#inList = true;
  }

  /** The next list item begins a list of its own. */
  endList(): void {
    this.#inList = false;
  }

  table(rows: readonly (readonly string[])[], options: TableOptions): void {
    for (const block of renderTable(rows, options)) this.#block(block);
  }

  code(text: string, language = ''): void {
    const body = cleanText(text).replace(/^\n+|\s+$/g, '');
    if (body === '') return;
    const longest = body.match(/^`{3,}/gm)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0;
    const fence = '`'.repeat(Math.max(3, longest + 1));
    this.#block(`${fence}${language}\n${body}\n${fence}`);
  }

  /** Text that is in the normal form already. */
  normalised(text: string): void {
    this.#block(cleanText(text).replace(/^\s*\n|\s+$/g, ''));
  }

  /** The next block begins a new page. */
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

  /** An empty page begins where the text so far ends. */
  #flushPage(): void {
    if (this.#pageWaiting) this.#pageOffsets.push(this.#length);
    this.#pageWaiting = false;
  }

  #block(text: string, separator = '\n\n'): void {
    this.#inList = false;
    if (text === '') return;
    const gap = this.#length > 0 ? separator : '';
    this.#length += gap.length;
    this.#flushPage();
    this.#length += text.length;
    if (this.#length > this.#maxChars) throw tooMuchText(this.#maxChars);
    this.#parts.push(gap, text);
  }
}

/** The error for a file whose text goes past the output limit. */
export const tooMuchText = (maxChars: number): ParseError =>
  new ParseError(
    'too_large',
    `The text of this file is longer than ${maxChars.toLocaleString('en')} characters. Split the file and upload the parts.`,
  );
