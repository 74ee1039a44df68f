import { parse } from 'csv-parse/sync';
import { inlineRst } from '#formats/restructuredtext/rst-inline';
import { maxTableLines, readRstTable } from '#formats/restructuredtext/rst-tables';
import type { DocumentWriter } from '#text/document-writer';

// https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html

const adornment = /^([!-/:-@[-`{-~])\1*\s*$/;
const bullet = /^([*+•‣⁃-])(\s+)(?=\S)/;
const enumerator = /^(\(?(?:\d{1,4}|#|[a-zA-Z]|[ivxlIVXL]{2,6})[.)])(\s+)(?=\S)/;
const field = /^:((?:[^:\\\s]|\\.)(?:[^:\\]|\\.)*):(?:\s+|$)/;
const directive = /^\.\.\s+(?:\|[^|]+\|\s+)?([\w:.+-]+?)::(?:\s+(.*))?$/;
const doctest = /^>>> /;

const codeNames = new Set(['code', 'code-block', 'sourcecode', 'parsed-literal', 'prompt', 'doctest', 'testcode']);
const noteNames = new Set(
  'attention caution danger error hint important note tip warning seealso versionadded versionchanged deprecated todo'.split(
    ' ',
  ),
);
/** Directives whose body is text, and those whose argument is a title. */
const titledNames = new Set([
  'topic',
  'sidebar',
  'admonition',
  'rubric',
  'figure',
  'table',
  'epigraph',
  'container',
  'compound',
]);
/** Other files, settings, and what only readers of the finished document see. */
const droppedNames = new Set(
  `include literalinclude raw toctree contents index image highlight meta role default-role sectnum unicode replace date title
   tabularcolumns only-for currentmodule module automodule autoclass autofunction sectionauthor codeauthor bibliography footer header`.split(
    /\s+/,
  ),
);

const maxDepth = 30;

const indentOf = (line: string): number => line.length - line.trimStart().length;
const isBlank = (line: string | undefined): boolean => (line ?? '').trim() === '';

/** Returns lines without their common indentation. */
const dedent = (lines: readonly string[]): string[] => {
  const filled = lines.filter((line) => !isBlank(line));
  const indent = filled.reduce((least, line) => Math.min(least, indentOf(line)), Number.POSITIVE_INFINITY);
  return lines.map((line) => line.slice(Math.min(indent, line.length)));
};

/** Returns undefined if a quote is never closed. */
const csvRows = (text: string): string[][] | undefined => {
  try {
    return parse(text, { relax_column_count: true, relax_quotes: true, skip_empty_lines: true, trim: true });
  } catch {
    return undefined;
  }
};

const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50 };

/** Returns the numbers that a label can mean: `i` is 1 or 9. */
const numbersOf = (label: string): number[] => {
  const text = label.replace(/[().]/g, '').toLowerCase();
  if (/^\d+$/.test(text)) return [Number(text)];
  const letter = text.length === 1 ? [text.charCodeAt(0) - 96] : [];
  if (!/^[ivxl]+$/.test(text)) return letter;
  const values = [...text].map((digit) => romanDigits[digit] ?? 0);
  return [...letter, values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0)];
};

/**
 * Returns true if a label begins an item of a list instead of a paragraph, for example with initials: the
 * next line is blank, indented, or has the next label.
 */
const isListItem = (label: string, next: string | undefined): boolean => {
  if (isBlank(next) || indentOf(next ?? '') > 0) return true;
  const [, following = ''] = enumerator.exec(next ?? '') ?? [];
  if (following.includes('#')) return true;
  const numbers = numbersOf(label);
  return numbersOf(following).some((number) => numbers.includes(number - 1));
};

interface Reading {
  readonly lines: readonly string[];
  readonly depth: number;
  /** The depth of the list that contains the lines; -1 outside of lists. */
  readonly listDepth: number;
}

/** Writes the blocks of reStructuredText. Sections get their levels in the order of their adornments. */
export class RstWriter {
  readonly #writer: DocumentWriter;
  readonly #targets: ReadonlyMap<string, string>;
  readonly #adornments: string[] = [];
  /** The number of the last list item, which `#.` continues. */
  #lastNumber = 0;
  firstHeading: string | undefined;

  constructor(writer: DocumentWriter, targets: ReadonlyMap<string, string>) {
    this.#writer = writer;
    this.#targets = targets;
  }

  write(lines: readonly string[]): void {
    this.#blocks({ lines, depth: 0, listDepth: -1 });
  }

  text(text: string): string {
    return inlineRst(text, this.#targets);
  }

  #blocks(reading: Reading): void {
    const { lines } = reading;
    for (let at = 0; at < lines.length; ) {
      if (isBlank(lines[at])) at++;
      else at = this.#block(reading, at);
    }
  }

  /** Writes the block that begins at a line, and returns the line after it. */
  #block(reading: Reading, at: number): number {
    const { lines } = reading;
    const line = lines[at] ?? '';
    if (indentOf(line) > 0) return this.#nested(reading, at);
    const table = /^[+=]/.test(line) ? readRstTable(lines.slice(at, tableEnd(lines, at))) : undefined;
    if (table !== undefined) {
      this.#table(table.rows);
      return at + table.lines;
    }
    return (
      this.#section(lines, at) ??
      this.#explicit(reading, at) ??
      this.#listItem(reading, at) ??
      this.#fieldOrTest(reading, at) ??
      this.#paragraph(reading, at)
    );
  }

  #section(lines: readonly string[], at: number): number | undefined {
    const [first = '', second = '', third = ''] = lines.slice(at, at + 3);
    const isOver = adornment.test(first) && adornment.test(third) && first[0] === third[0] && !isBlank(second);
    const [title, line, end] = isOver ? [second.trim(), third.trim(), at + 3] : [first.trim(), second.trim(), at + 2];
    if (isOver ? first.trim().length < 2 : adornment.test(first) && first.length > 2) {
      // A line between paragraphs.
      return isOver ? undefined : at + 1;
    }
    if (!adornment.test(line) || line.length < Math.min(title.length, 3) || title === '') return undefined;
    if (line.length < title.length * 0.7) return undefined;
    const key = `${line[0]}${isOver ? '/' : ''}`;
    if (!this.#adornments.includes(key)) this.#adornments.push(key);
    const text = this.text(title);
    this.firstHeading ??= text;
    this.#writer.heading(Math.min(6, this.#adornments.indexOf(key) + 1), text);
    return end;
  }

  /** Directives, comments, targets, footnotes and substitutions. */
  #explicit(reading: Reading, at: number): number | undefined {
    const { lines } = reading;
    const line = lines[at] ?? '';
    if (!/^\.\.(?:\s|$)/.test(line) && !/^__(?:\s|$)/.test(line)) return undefined;
    const end = indentedEnd(lines, at + 1);
    const [, name, argument = ''] = directive.exec(line) ?? [];
    const body = lines.slice(at + 1, end);
    if (name !== undefined) this.#directive(reading, name.toLowerCase(), argument, body);
    else {
      const [, label, text = ''] = /^\.\.\s+\[([^\]]+)\]\s*(.*)$/.exec(line) ?? [];
      if (label !== undefined)
        this.#writer.paragraph(this.text(`[${label}] ${[text, ...dedent(body)].join(' ').trim()}`));
    }
    return end;
  }

  #directive(reading: Reading, name: string, argument: string, given: readonly string[]): void {
    const lines = dedent(given);
    const firstText = lines.findIndex((line) => !isBlank(line) && !field.test(line));
    const body = firstText === -1 ? [] : lines.slice(firstText);
    const options = lines.slice(0, firstText === -1 ? lines.length : firstText).join('\n');
    const nested = (): void => this.#blocks({ lines: dedent(body), depth: reading.depth + 1, listDepth: -1 });
    if (reading.depth >= maxDepth) this.#writer.paragraph(body.join('\n'));
    else if (codeNames.has(name)) this.#writer.code(body.join('\n'), /^[\w+#-]{1,30}$/.test(argument) ? argument : '');
    else if (name === 'math') this.#writer.paragraph(`$$ ${[argument, ...body].join(' ').trim()} $$`);
    else if (noteNames.has(name)) {
      const label = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
      this.#writer.paragraph(argument === '' ? `${label}:` : `${label}: ${this.text(argument)}`);
      nested();
    } else if (name === 'csv-table') {
      this.#writer.paragraph(this.text(argument));
      this.#csvTable(options, body);
    } else if (name === 'list-table') {
      this.#writer.paragraph(this.text(argument));
      this.#listTable(body);
    } else if (name === 'image' || name === 'figure') {
      this.#writer.paragraph(this.text(/^:alt:\s*(.+)$/m.exec(options)?.[1] ?? ''));
      if (name === 'figure') nested();
    } else if (droppedNames.has(name)) return;
    else {
      const isSignature =
        name.includes(':') || /^(?:function|method|class|attribute|data|exception|option|envvar)$/.test(name);
      if (titledNames.has(name) || isSignature) this.#writer.paragraph(this.text(argument));
      nested();
    }
  }

  #csvTable(options: string, body: readonly string[]): void {
    const header = /^:header:\s*(.+)$/m.exec(options)?.[1];
    const text = [...(header === undefined ? [] : [header]), ...body].join('\n');
    const rows = csvRows(text);
    if (rows === undefined) this.#writer.paragraph(text);
    else this.#table(rows, header !== undefined || /^:header-rows:\s*[1-9]/m.test(options));
  }

  #listTable(body: readonly string[]): void {
    const rows: string[][] = [];
    for (const line of body) {
      const [, start] = /^(\s*\*\s+)-(?:\s|$)/.exec(line) ?? [];
      const cell = line.slice((start ?? '').length).trim();
      if (start !== undefined) rows.push([cell.slice(1).trim()]);
      else if (/^-(?:\s|$)/.test(cell)) rows.at(-1)?.push(cell.slice(1).trim());
      else {
        const row = rows.at(-1);
        if (row && cell !== '') row[row.length - 1] = `${row.at(-1) ?? ''} ${cell}`.trim();
      }
    }
    this.#table(rows);
  }

  #table(rows: readonly (readonly string[])[], hasHeader = true): void {
    this.#writer.table(
      rows.map((row) => row.map((cell) => this.text(cell))),
      { hasHeader: hasHeader && rows.length > 1 },
    );
  }

  #listItem(reading: Reading, at: number): number | undefined {
    const { lines, depth, listDepth } = reading;
    const line = lines[at] ?? '';
    const match = bullet.exec(line) ?? enumerator.exec(line);
    if (match === null) return undefined;
    const [whole, label = ''] = match;
    if (!bullet.test(line) && !isListItem(label, lines[at + 1])) return undefined;
    const end = indentedEnd(lines, at + 1);
    const body = [line.slice(whole.length), ...dedent(lines.slice(at + 1, end))];
    const next = body.findIndex(
      (part, index) => index > 0 && (isBlank(part) || bullet.test(part) || enumerator.test(part)),
    );
    const own = next === -1 ? body : body.slice(0, next);
    const number = label.includes('#') ? this.#lastNumber + 1 : Number.parseInt(label.replace('(', ''), 10);
    this.#lastNumber = Number.isNaN(number) ? 0 : number;
    const level = listDepth + 1;
    const shown = this.text(own.join(' ').trim());
    const isNamed = /[a-z]/i.test(label);
    this.#writer.listItem(isNamed ? `${label} ${shown}` : shown, level, Number.isNaN(number) ? undefined : number);
    if (next !== -1 && depth < maxDepth) this.#blocks({ lines: body.slice(next), depth: depth + 1, listDepth: level });
    else if (next !== -1) this.#writer.paragraph(body.slice(next).join('\n'));
    return end;
  }

  #fieldOrTest(reading: Reading, at: number): number | undefined {
    const { lines } = reading;
    const line = lines[at] ?? '';
    if (doctest.test(line)) {
      let end = at;
      while (end < lines.length && !isBlank(lines[end])) end++;
      this.#writer.code(lines.slice(at, end).join('\n'));
      return end;
    }
    const [whole, name] = field.exec(line) ?? [];
    if (whole === undefined || name === undefined) return undefined;
    const end = indentedEnd(lines, at + 1);
    const value = [line.slice(whole.length), ...dedent(lines.slice(at + 1, end))].join(' ').trim();
    this.#writer.paragraph(`${name}: ${this.text(value)}`);
    return end;
  }

  /** Indented text: a quotation, or the definition of the term above it. */
  #nested(reading: Reading, at: number): number {
    const end = indentedEnd(reading.lines, at);
    const lines = dedent(reading.lines.slice(at, end));
    if (reading.depth >= maxDepth) this.#writer.paragraph(lines.join('\n'));
    else this.#blocks({ ...reading, lines, depth: reading.depth + 1 });
    return end;
  }

  #paragraph({ lines }: Reading, at: number): number {
    let end = at + 1;
    while (end < lines.length && !isBlank(lines[end]) && indentOf(lines[end] ?? '') === 0) end++;
    const text = lines
      .slice(at, end)
      .map((line) => line.replace(/^\|\s/, ''))
      .join(lines[at]?.startsWith('| ') ? '\n' : ' ')
      .trim();
    const isLiteral = text.endsWith('::');
    // `text::` shows one colon, `::` alone shows nothing.
    const shown = isLiteral ? text.replace(/(?:\s|^)::$/, '').replace(/::$/, ':') : text;
    this.#writer.paragraph(this.text(shown));
    if (!isLiteral) return end;
    const codeEnd = indentedEnd(lines, end);
    this.#writer.code(dedent(lines.slice(end, codeEnd)).join('\n'));
    return codeEnd;
  }
}

/** Returns the first line from `at` that is not blank and not indented. */
const indentedEnd = (lines: readonly string[], at: number): number => {
  let end = at;
  let last = at;
  while (end < lines.length && (isBlank(lines[end]) || indentOf(lines[end] ?? '') > 0)) {
    end++;
    if (!isBlank(lines[end - 1])) last = end;
  }
  return last;
};

const tableEnd = (lines: readonly string[], at: number): number => {
  let end = at;
  // A simple table can contain blank lines; its last border has a blank line after it.
  while (end < Math.min(lines.length, at + maxTableLines)) {
    const isBorder = /^=/.test(lines[end] ?? '');
    end++;
    if (isBorder && end > at + 1 && isBlank(lines[end])) break;
    if (/^\+/.test(lines[at] ?? '') && isBlank(lines[end])) break;
  }
  return end;
};
