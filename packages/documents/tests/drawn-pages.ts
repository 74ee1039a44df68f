import { latin1Escape, randomNumbers } from './page-images.ts';
import { utf8 } from './sample-files.ts';

/** A text at a place on a page, in points from the lower left corner. */
interface DrawnText {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly text: string;
  readonly font?: FontName;
}

interface DrawnRule {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

/** A page with its tables, or without any. */
export interface DrawnPage {
  readonly name: string;
  readonly texts: readonly DrawnText[];
  readonly rules: readonly DrawnRule[];
  readonly tables: readonly (readonly (readonly string[])[])[];
}

const fonts = { regular: 'Helvetica', bold: 'Helvetica-Bold', mono: 'Courier' } as const;
type FontName = keyof typeof fonts;

/** Widths of the characters 32 to 126 of Helvetica, in thousandths of the type size (Adobe's font metrics). */
const widths = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
];

const widthOf = (text: string, size: number, font: FontName = 'regular'): number =>
  ([...text].reduce((sum, letter) => sum + (font === 'mono' ? 600 : (widths[letter.charCodeAt(0) - 32] ?? 556)), 0) *
    size) /
  1000;

/** Returns a PDF of pages with a text layer and lines. */
export const drawnPdf = (pages: readonly Pick<DrawnPage, 'texts' | 'rules'>[]): Uint8Array => {
  const names = Object.keys(fonts);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '',
    ...Object.values(fonts).map(
      (font) => `<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`,
    ),
  ];
  const resources = names.map((name, index) => `/${name} ${index + 3} 0 R`).join(' ');
  const kids = pages.map(({ texts, rules }) => {
    const stream = [
      ...rules.map(({ from, to }) => `${from.join(' ')} m ${to.join(' ')} l S`),
      ...texts.map(
        ({ x, y, size, text, font = 'regular' }) =>
          `BT /${font} ${size} Tf ${x.toFixed(2)} ${y.toFixed(2)} Td (${latin1Escape(text)}) Tj ET`,
      ),
    ].join('\n');
    const contents = objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    return objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << ${resources} >> >> /Contents ${contents} 0 R >>`,
    );
  });
  objects[1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`;
  let file = '%PDF-1.4\n';
  const offsets = objects.map((body, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const xref = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  return utf8(`${file}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF`);
};

const vocabulary =
  `the pump of every week is checked before a person who works there may open valves and record pressure in bar for all
   stations which are listed below with their owners holiday requests need deputy name first last day travel costs paid
   receipt original bills by train plane unless an illness was reason department decides within working days delivery
   contract customer order shipping address invoice total amount balance supplier material quality temperature`.split(
    /\s+/,
  );
const nouns =
  'Pump Valve Sensor Motor Filter Cable Bracket Hose Gasket Bearing Controller Display Battery Relay Switch Panel Berlin Paris Madrid Vienna Oslo Rome Finance Sales Support Legal Research Apples Flour Sugar Coffee Tea Rice'.split(
    ' ',
  );
const headers =
  'Item Name Region Department Quantity Price Amount Status Owner Date Code Unit Total Share Notes Type Product City Rate Budget'.split(
    ' ',
  );

const left = 72;
const right = 540;

/** Draws random pages. The same seed draws the same page. */
class Artist {
  readonly #random: () => number;
  readonly texts: DrawnText[] = [];
  readonly rules: DrawnRule[] = [];
  y = 730;

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  int(from: number, to: number): number {
    return from + Math.floor(this.#random() * (to - from + 1));
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.int(0, values.length - 1)];
    if (value === undefined) throw new Error('Nothing to pick from.');
    return value;
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.pick(vocabulary)).join(' ');
  }

  sentence(count = this.int(8, 20)): string {
    const text = this.words(count);
    return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
  }

  paragraphText(sentences = this.int(3, 6)): string {
    return Array.from({ length: sentences }, () => this.sentence()).join(' ');
  }

  text(x: number, text: string, size = 10, font: FontName = 'regular', y = this.y): void {
    if (text !== '') this.texts.push({ x, y, size, text, font });
  }

  wrap(text: string, width: number, size = 10, font: FontName = 'regular'): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of text.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && widthOf(longer, size, font) > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    return line === '' ? lines : [...lines, line];
  }

  /** Draws a paragraph from y down; a justified one word by word. */
  paragraph(x: number, width: number, text = this.paragraphText(), isJustified = false, size = 10): void {
    const lines = this.wrap(text, width, size);
    for (const [index, line] of lines.entries()) {
      const words = line.split(' ');
      const blank = (width - widthOf(line.replaceAll(' ', ''), size)) / Math.max(1, words.length - 1);
      let at = x;
      if (!isJustified || index === lines.length - 1) this.text(x, line, size);
      else
        for (const word of words) {
          this.text(at, word, size);
          at += widthOf(word, size) + blank;
        }
      this.y -= size * 1.2;
    }
    this.y -= size * 0.8;
  }

  value(kind: ColumnKind): string {
    switch (kind) {
      case 'number':
        return this.pick([
          String(this.int(1, 9_999)),
          `${this.int(1, 999)}.${this.int(10, 99)}`,
          `${this.int(1, 99)},${this.int(100, 999)}`,
          `${this.int(1, 100)}%`,
          `-${this.int(1, 99)}`,
        ]);
      case 'date':
        return `${this.int(10, 28)}.${this.int(10, 12)}.20${this.int(10, 26)}`;
      case 'word':
        return this.chance(0.4) ? `${this.pick(nouns)} ${this.pick(vocabulary)}` : this.pick(nouns);
      case 'prose':
        return this.sentence(this.int(4, 16));
    }
  }
}

type ColumnKind = 'number' | 'date' | 'word' | 'prose';
type TableStyle = 'grid' | 'ruled' | 'rows' | 'plain';

/** Draws a table between two paragraphs. */
const drawTable = (artist: Artist, style: TableStyle): string[][] => {
  const count = artist.int(style === 'plain' || style === 'ruled' ? 3 : 2, 6);
  const rowCount = artist.int(5, 14);
  const size = artist.pick([8, 9, 10]);
  const kinds = Array.from({ length: count }, (_, index): ColumnKind => {
    if (index === 0) return 'word';
    if (index === 1) return artist.pick(style === 'plain' ? ['number'] : ['number', 'date', 'word']);
    if (index === count - 1 && count <= 4 && artist.chance(0.4)) return 'prose';
    return artist.pick(['number', 'number', 'date', 'word']);
  });
  const weights = kinds.map((kind) => (kind === 'prose' ? 2.2 : 1));
  const unit = (right - left) / weights.reduce((sum, weight) => sum + weight, 0);
  const xs = [left];
  for (const weight of weights) xs.push((xs.at(-1) ?? left) + weight * unit);
  const names: string[] = [];
  while (names.length < count) {
    const name = artist.pick(headers);
    if (!names.includes(name)) names.push(name);
  }
  const rows = [
    names,
    ...Array.from({ length: rowCount }, () =>
      kinds.map((kind, index) => (index > 0 && artist.chance(0.08) ? '' : artist.value(kind))),
    ),
  ];
  const pad = style === 'grid' ? 3 : 5;
  const rowGap = artist.pick([0.5, 0.7, 0.9]) * size;
  const top = artist.y + size + rowGap / 2;
  const lines: number[] = [top];
  const cellByCell = artist.chance(0.7);
  for (const [number, row] of rows.entries()) {
    const font = number === 0 ? 'bold' : 'regular';
    const cells = row.map((text, index) =>
      artist.wrap(text, (xs[index + 1] ?? right) - (xs[index] ?? left) - 2 * pad, size, font),
    );
    const height = Math.max(1, ...cells.map((cell) => cell.length));
    const draw = (index: number, line: number): void => {
      const text = cells[index]?.[line] ?? '';
      const isRight = kinds[index] === 'number';
      const x = isRight ? (xs[index + 1] ?? right) - pad - widthOf(text, size, font) : (xs[index] ?? left) + pad;
      artist.text(x, text, size, font, artist.y - line * size * 1.15);
    };
    if (cellByCell) for (const index of cells.keys()) for (let line = 0; line < height; line++) draw(index, line);
    else for (let line = 0; line < height; line++) for (const index of cells.keys()) draw(index, line);
    artist.y -= (height - 1) * size * 1.15 + size * 1.15 + rowGap;
    lines.push(artist.y + size + rowGap / 2);
  }
  const bottom = lines.at(-1) ?? top;
  const shown = style === 'ruled' ? [top, lines[1] ?? top, bottom] : style === 'plain' ? [] : lines;
  for (const y of shown) artist.rules.push({ from: [left, y], to: [right, y] });
  if (style === 'grid') for (const x of xs) artist.rules.push({ from: [x, top], to: [x, bottom] });
  artist.y -= size;
  return rows;
};

/** Returns a page with a table of this style. */
export const tablePage = (seed: number, style: TableStyle): DrawnPage => {
  const artist = new Artist(seed);
  artist.paragraph(left, right - left, artist.paragraphText(2));
  const table = drawTable(artist, style);
  artist.paragraph(left, right - left, artist.paragraphText(2));
  return { name: `table, ${style}`, texts: artist.texts, rules: artist.rules, tables: [table] };
};

/** Returns a page with prose on its left half, and prose with a table on its right half. */
export const tableNextToProse = (seed: number): DrawnPage => {
  const artist = new Artist(seed);
  const top = artist.y;
  for (let index = 0; index < 5; index++) artist.paragraph(left, 222, undefined, false, 9);
  artist.y = top;
  artist.paragraph(318, 222, artist.paragraphText(3), false, 9);
  const rows = [['Item', 'Quantity', 'Price']];
  for (let index = 0; index < 7; index++)
    rows.push([artist.value('word'), String(artist.int(1, 99)), `${artist.int(1, 999)}.${artist.int(10, 99)}`]);
  for (const [item = '', quantity = '', price = ''] of rows) {
    artist.text(318, item, 9);
    artist.text(450 - widthOf(quantity, 9), quantity, 9);
    artist.text(530 - widthOf(price, 9), price, 9);
    artist.y -= 13;
  }
  artist.y -= 9;
  artist.paragraph(318, 222, artist.paragraphText(3), false, 9);
  return { name: 'table next to prose', texts: artist.texts, rules: artist.rules, tables: [rows] };
};

const totals = ['Subtotal', 'Total', 'VAT', 'Shipping'];

/**
 * Returns a page with a table whose rows are in groups: only the first row of a group names it. Rows of
 * totals may follow. Some lines are only between groups, or groups are further apart.
 */
export const groupedTable = (seed: number, style: 'plain' | 'lines' | 'gaps'): DrawnPage => {
  const artist = new Artist(seed);
  artist.paragraph(left, right - left, artist.paragraphText(2));
  const currency = artist.pick(['', '£', 'EUR ', '$']);
  const amount = (): string => `${currency}${artist.chance(0.1) ? 'n/a' : artist.int(1, 999)}`.replace(/.*n\/a/, 'n/a');
  const hasNote = artist.chance(0.5);
  const names = ['Region', 'City', ...(hasNote ? ['Notes'] : []), 'Amount'];
  const rows = [names];
  const firsts = new Set<number>();
  for (let group = 0; group < artist.int(3, 5); group++) {
    firsts.add(rows.length);
    for (let row = 0; row < artist.int(2, 4); row++) {
      const note = hasNote ? [artist.pick(vocabulary)] : [];
      rows.push([row === 0 ? artist.pick(nouns) : '', artist.pick(nouns), ...note, amount()]);
    }
  }
  if (artist.chance(0.6)) {
    firsts.add(rows.length);
    const count = artist.int(1, 3);
    for (const name of totals.slice(0, count))
      rows.push(['', name, ...(hasNote ? [''] : []), `${currency}${artist.int(1_000, 9_999)}`]);
  }
  const size = 10;
  const xs = names.map((_name, index) => left + index * 110);
  for (const [index, row] of rows.entries()) {
    const isFirst = firsts.has(index);
    if (isFirst && style === 'gaps') artist.y -= 6;
    if (isFirst && style === 'lines')
      artist.rules.push({ from: [left, artist.y + 11], to: [left + names.length * 110, artist.y + 11] });
    for (const [column, text] of row.entries()) artist.text(xs[column] ?? left, text, size);
    artist.y -= 14;
  }
  artist.y -= size;
  artist.paragraph(left, right - left, artist.paragraphText(2));
  return { name: `grouped table, ${style}`, texts: artist.texts, rules: artist.rules, tables: [rows] };
};

export const groupStyles = ['plain', 'lines', 'gaps'] as const;

export const tableStyles: readonly TableStyle[] = ['grid', 'rows', 'ruled', 'plain'];

const paragraphs = (artist: Artist, count: number, width: number, isJustified = false): void => {
  for (let index = 0; index < count; index++) artist.paragraph(left, width, undefined, isJustified);
};

const columnsOfProse = (artist: Artist, count: number, isJustified: boolean): void => {
  const gap = artist.int(14, 24);
  const width = (right - left - gap * (count - 1)) / count;
  const top = artist.y;
  for (let column = 0; column < count; column++) {
    artist.y = top;
    for (let index = 0; index < 3; index++)
      artist.paragraph(left + column * (width + gap), width, artist.paragraphText(), isJustified, 9);
  }
};

const contents = (artist: Artist, hasLeaders: boolean): void => {
  artist.text(left, 'Contents', 16, 'bold');
  artist.y -= 30;
  let page = 1;
  for (let chapter = 1; chapter <= artist.int(8, 16); chapter++) {
    const title = `${chapter} ${artist.sentence(artist.int(2, 6)).slice(0, -1)}`;
    page += artist.int(0, 9);
    const end = right - widthOf(String(page), 10);
    artist.text(left, title);
    if (hasLeaders) {
      const from = left + widthOf(title, 10) + 4;
      artist.text(from, '.'.repeat(Math.max(4, Math.floor((end - from - 4) / 2.78))));
    }
    artist.text(end, String(page));
    artist.y -= 15;
  }
};

const form = (artist: Artist): void => {
  for (let index = 0; index < artist.int(5, 10); index++) {
    artist.text(left, `${artist.pick(headers)}:`);
    artist.text(left + 120, artist.value(artist.pick(['word', 'date', 'number'])));
    artist.y -= 15;
  }
};

const addresses = (artist: Artist): void => {
  const top = artist.y;
  for (const x of [left, 330]) {
    artist.y = top;
    for (let line = 0; line < 5; line++) {
      const text = line === 3 ? `${artist.int(10_000, 99_999)} ${artist.pick(nouns)}` : artist.value('word');
      artist.text(x, line === 2 ? `${artist.pick(nouns)} Street ${artist.int(1, 99)}` : text);
      artist.y -= 13;
    }
  }
  artist.y -= 30;
  artist.paragraph(left, right - left);
};

const codeWords = 'count index value result items total left right node next'.split(' ');
const listing = (artist: Artist): void => {
  for (let line = 0; line < artist.int(10, 24); line++) {
    const [a, b] = [artist.pick(codeWords), artist.pick(codeWords)];
    const text = artist.pick([
      `const ${a} = ${b}(${artist.int(1, 99)});`,
      `if (${a} === ${b}) {`,
      `${a}.${b} += 1;`,
      '}',
    ]);
    const indent = '    '.repeat(artist.int(0, 2));
    artist.text(left, `${indent}${text}`, 9, 'mono');
    if (artist.chance(0.7)) artist.text(left + 270, `// ${artist.words(3)}`, 9, 'mono');
    artist.y -= 11;
  }
};

const list = (artist: Artist, isNumbered: boolean): void => {
  for (let item = 1; item <= artist.int(5, 9); item++) {
    artist.text(left, isNumbered ? `${item}.` : '-');
    for (const line of artist.wrap(artist.sentence(artist.int(4, 24)), right - left - 24)) {
      artist.text(left + 24, line);
      artist.y -= 13;
    }
  }
};

const numberedLines = (artist: Artist): void => {
  for (const [index, line] of artist.wrap(artist.paragraphText(12), right - left - 30).entries()) {
    artist.text(left, String(index + 1), 8);
    artist.text(left + 30, line);
    artist.y -= 12;
  }
};

const footer = (artist: Artist): void => {
  for (let index = 0; index < 3; index++) artist.paragraph(left, right - left);
  for (const [index, x] of [left, 230, 390].entries()) {
    const lines = [
      ['Lectern Ltd.', `${artist.pick(nouns)} Street ${artist.int(1, 99)}`, `${artist.int(10_000, 99_999)} Berlin`],
      [`Phone +49 30 ${artist.int(1_000, 9_999)}`, 'info@example.org', 'www.example.org'],
      [`IBAN DE${artist.int(10, 99)} ${artist.int(1_000, 9_999)}`, 'BIC EXAMPLEX', `VAT DE${artist.int(1_000, 9_999)}`],
    ][index];
    for (const [line, text] of (lines ?? []).entries()) artist.text(x, text, 7, 'regular', 90 - line * 9);
  }
};

/** Draws the index of a book, one column after the other. */
const index = (artist: Artist): void => {
  const top = artist.y;
  for (const x of [left, 230, 390]) {
    artist.y = top;
    for (let line = 0; line < 25; line++) {
      artist.text(x, `${artist.words(artist.int(1, 3))}, ${artist.int(1, 400)}`, 9);
      artist.y -= 11;
    }
  }
};

/** Draws two columns of prose line by line: what the recognized text of a scan looks like. */
const columnsByRow = (artist: Artist): void => {
  const columns = [1, 2].map(() => [1, 2, 3].flatMap(() => artist.wrap(artist.paragraphText(), 220, 9)));
  for (const [line, text] of (columns[0] ?? []).entries()) {
    artist.text(left, text, 9);
    artist.text(320, columns[1]?.[line] ?? '', 9);
    artist.y -= 11;
  }
};

const otherPages: readonly (readonly [string, (artist: Artist) => void])[] = [
  ['prose', (artist) => paragraphs(artist, 4, right - left)],
  ['justified prose', (artist) => paragraphs(artist, 3, 300, true)],
  ['two columns', (artist) => columnsOfProse(artist, 2, false)],
  ['two justified columns', (artist) => columnsOfProse(artist, 2, true)],
  ['three columns', (artist) => columnsOfProse(artist, 3, false)],
  ['contents with leaders', (artist) => contents(artist, true)],
  ['contents without leaders', (artist) => contents(artist, false)],
  ['form', form],
  ['addresses', addresses],
  ['code', listing],
  ['list', (artist) => list(artist, false)],
  ['numbered list', (artist) => list(artist, true)],
  ['numbered lines', numberedLines],
  ['letter with a footer', footer],
  ['index', index],
  ['two columns by row', columnsByRow],
];

export const otherPageNames = otherPages.map(([name]) => name);

/** Returns a page without tables; `kind` is an index of `otherPageNames`. */
export const otherPage = (seed: number, kind: number): DrawnPage => {
  const [name, draw] = otherPages[kind % otherPages.length] ?? otherPages[0] ?? ['', () => undefined];
  const artist = new Artist(seed);
  draw(artist);
  return { name, texts: artist.texts, rules: artist.rules, tables: [] };
};

type Cells = readonly (readonly string[])[];

const tidy = (cell: string): string => cell.replace(/\s+/g, ' ').trim();
const filled = (rows: Cells): number => rows.flat().filter((cell) => tidy(cell) !== '').length;

/** Returns the number of filled cells that are in the same row and column of both tables. */
const matchingCells = (expected: Cells, found: Cells): number => {
  const unused = new Set(found);
  let total = 0;
  for (const row of expected) {
    let [best, most]: [readonly string[] | undefined, number] = [undefined, 0];
    for (const other of unused) {
      const count = row.filter((cell, index) => tidy(cell) !== '' && tidy(cell) === tidy(other[index] ?? '')).length;
      if (count > most) [best, most] = [other, count];
    }
    if (best) unused.delete(best);
    total += most;
  }
  return total;
};

/** How many cells were expected and found, and how many of the found ones are right. */
export interface TableScore {
  readonly expected: number;
  readonly found: number;
  readonly correct: number;
}

/** Compares the tables of a page with those that were found. */
export const scoreTables = (expected: readonly Cells[], found: readonly Cells[]): TableScore => ({
  expected: filled(expected.flat()),
  found: filled(found.flat()),
  correct: matchingCells(expected.flat(), found.flat()),
});

/** Returns the shares of expected cells that were found, and of found cells that are right. */
export const cellRates = (scores: readonly TableScore[]): { readonly recall: number; readonly precision: number } => {
  const sum = (key: keyof TableScore): number => scores.reduce((total, score) => total + score[key], 0);
  return {
    recall: sum('correct') / Math.max(1, sum('expected')),
    precision: sum('correct') / Math.max(1, sum('found')),
  };
};

/** Reads the GFM tables of a text. The header that each group of rows repeats counts once. */
export const tablesOfText = (text: string): string[][][] => {
  const tables: string[][][] = [];
  for (const block of text.split('\n\n').filter((part) => part.startsWith('| '))) {
    const [head = [], , ...rows] = block.split('\n').map((line) => line.slice(1, -1).split('|').map(tidy));
    const last = tables.at(-1);
    if (last?.[0]?.join('|') === head.join('|')) last.push(...rows);
    else tables.push([head, ...rows]);
  }
  return tables;
};
