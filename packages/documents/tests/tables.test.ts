import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rulesOfOperations } from '#formats/pdf/page-rules';
import { findBlocks, findRecognizedBlocks, isTableBlock, type PageBlock } from '#layout/page-blocks';
import type { PageRules } from '#layout/rules';
import type { Line } from '#text/line';
import {
  cellRates,
  type DrawnPage,
  drawnPdf,
  groupedTable,
  groupStyles,
  otherPage,
  otherPageNames,
  scoreTables,
  tableNextToProse,
  tablePage,
  tableStyles,
  tablesOfText,
} from './drawn-pages.ts';
import { parseSample } from './parse-sample.ts';

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

const textOf = async (page: DrawnPage): Promise<string> => (await parseSample(drawnPdf([page]), 'a.pdf')).text;
const scoreOf = async (page: DrawnPage) => scoreTables(page.tables, tablesOfText(await textOf(page)));

/** Returns how often each word occurs, without the marks of tables, headings and lists. */
const wordCounts = (text: string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};

describe('a table of a PDF', () => {
  it.each(tableStyles)('becomes a Markdown table with at least 97% of its cells: %s', async (style) => {
    const rates = cellRates(await Promise.all(seeds.map((seed) => scoreOf(tablePage(seed, style)))));
    expect(rates.recall).toBeGreaterThanOrEqual(0.97);
    expect(rates.precision).toBeGreaterThanOrEqual(0.97);
  });

  it.each(groupStyles)('keeps the rows of groups and totals apart: %s', async (style) => {
    const rates = cellRates(await Promise.all(seeds.map((seed) => scoreOf(groupedTable(seed, style)))));
    expect(rates.recall).toBeGreaterThanOrEqual(0.97);
    expect(rates.precision).toBeGreaterThanOrEqual(0.97);
  });

  it('is found next to a column of prose', async () => {
    const rates = cellRates(await Promise.all(seeds.map((seed) => scoreOf(tableNextToProse(seed)))));
    expect(rates.recall).toBeGreaterThanOrEqual(0.7);
    expect(rates.precision).toBeGreaterThanOrEqual(0.85);
  });

  it('is in reading order between the paragraphs around it, with the header in each group of rows', async () => {
    const [before, after] = ['Before the table.', 'After the table.'];
    const cells = Array.from({ length: 60 }, (_, row) => [`Item ${row} of the price list`, `${row}.50`]);
    const rows = [['Name', 'Price'], ...cells];
    const at = (row: number): number => 715 - row * 11;
    const texts = [
      { x: 72, y: 745, size: 9, text: before },
      ...rows.flatMap(([name = '', price = ''], row) => [
        { x: 72, y: at(row), size: 9, text: name },
        { x: 300, y: at(row), size: 9, text: price },
      ]),
      { x: 72, y: at(rows.length) - 20, size: 9, text: after },
    ];
    const { text } = await parseSample(drawnPdf([{ texts, rules: [] }]), 'a.pdf');
    const blocks = text.split('\n\n');
    expect(blocks.length).toBeGreaterThan(4);
    expect([blocks[0], blocks.at(-1)]).toEqual([before, after]);
    for (const block of blocks.slice(1, -1)) expect(block).toMatch(/^\| Name \| Price \|\n\| --- \| --- \|\n\| Item/);
    expect(tablesOfText(text)).toEqual([rows]);
  });

  it('keeps the header on each page that it repeats on', async () => {
    const page = (number: number) => ({
      texts: [
        { x: 72, y: 760, size: 8, text: `Price list - page ${number}` },
        ...['Name', 'Price', 'Unit'].map((text, column) => ({ x: 72 + column * 150, y: 700, size: 10, text })),
        ...[1, 2, 3].flatMap((row) =>
          [`Item ${number}${row}`, `${row * number}.00`, 'EUR'].map((text, column) => ({
            x: 72 + column * 150,
            y: 700 - row * 14,
            size: 10,
            text,
          })),
        ),
      ],
      rules: [],
    });
    const { text } = await parseSample(drawnPdf([1, 2, 3].map(page)), 'a.pdf');
    expect(text).not.toContain('Price list');
    expect(text.match(/\| Name \| Price \| Unit \|/g)).toHaveLength(3);
  });
});

describe('other text of a PDF', () => {
  it.each(otherPageNames.map((name, kind) => [name, kind] as const))(
    'does not become a table: %s',
    async (_name, kind) => {
      for (const seed of seeds) {
        const text = await textOf(otherPage(seed, kind));
        expect([seed, tablesOfText(text)]).toEqual([seed, []]);
      }
    },
  );
});

it('loses no word of a page', async () => {
  const pages = fc.oneof(
    fc.tuple(fc.nat(), fc.constantFrom(...tableStyles)).map(([seed, style]) => tablePage(seed, style)),
    fc.tuple(fc.nat(), fc.nat({ max: otherPageNames.length - 1 })).map(([seed, kind]) => otherPage(seed, kind)),
    fc.nat().map(tableNextToProse),
  );
  await fc.assert(
    fc.asyncProperty(pages, async (page) => {
      const found = wordCounts(await textOf(page));
      for (const [word, count] of wordCounts(page.texts.map(({ text }) => text).join(' ')))
        expect(found.get(word) ?? 0).toBeGreaterThanOrEqual(count);
    }),
    { numRuns: 60 },
  );
});

/** Coordinates as damaged files have them. */
const coordinate = fc.oneof(
  fc.double({ min: -100, max: 900, noNaN: true }),
  fc.integer({ min: 0, max: 40 }).map((step) => step * 15),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1e300, 0),
);
const piece = fc.record({ text: fc.string({ minLength: 1, maxLength: 12 }), left: coordinate, right: coordinate });
const line: fc.Arbitrary<Line> = fc
  .record({ baseline: coordinate, size: coordinate, pieces: fc.array(piece, { minLength: 1, maxLength: 6 }) })
  .map(({ baseline, size, pieces }) => ({
    text: pieces.map(({ text }) => text).join(' '),
    left: pieces[0]!.left,
    right: pieces.at(-1)!.right,
    baseline,
    size,
    pieces,
  }));
const rule = fc.record({ at: coordinate, from: coordinate, to: coordinate });
const rules: fc.Arbitrary<PageRules> = fc.record({ horizontal: fc.array(rule), vertical: fc.array(rule) });

/** Returns the number of letters, with those in the cells of tables. */
const letters = (blocks: readonly PageBlock[]): number =>
  blocks
    .flatMap((block) => (isTableBlock(block) ? block.rows.flat() : [block.text]))
    .join('')
    .replace(/\s/g, '').length;

it('keeps all text of lines at any place', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), rules, (lines, drawn) => {
      for (const blocks of [findBlocks(lines, drawn), findRecognizedBlocks(lines, drawn)])
        expect(letters(blocks)).toBe(letters(lines));
    }),
    { numRuns: 1_000 },
  );
});

it('reads a page with very many pieces in linear time', () => {
  const lines = Array.from({ length: 2_000 }, (_row, row): Line => {
    const pieces = Array.from({ length: 9 }, (_piece, column) => ({
      text: `word${row}`,
      left: column * 60 + (row % 7),
      right: column * 60 + 30 + (row % 5) * 6,
    }));
    return {
      text: pieces.map(({ text }) => text).join(' '),
      left: 0,
      right: 600,
      baseline: -row * 12,
      size: 10,
      pieces,
    };
  });
  const start = performance.now();
  findBlocks(lines);
  expect(performance.now() - start).toBeLessThan(20_000);
});

it.each([
  ['digits', `${'1'.repeat(20_000)}!`],
  ['digits and blanks', `${'1 '.repeat(10_000)}!`],
  ['brackets', 'a('.repeat(10_000)],
  ['letters and numbers', 'a, 1'.repeat(5_000)],
])('reads very long cells of %s in a short time', (_name, text) => {
  const cells = (baseline: number, texts: readonly string[]): Line => {
    const pieces = texts.map((value, column) => ({ text: value, left: 50 + column * 150, right: 150 + column * 150 }));
    return { text: texts.join(' '), left: 50, right: 300, baseline, size: 10, pieces };
  };
  const lines = [cells(700, ['Name', 'Value']), ...[1, 2, 3, 4].map((row) => cells(700 - row * 14, ['a', text]))];
  const start = performance.now();
  findBlocks(lines);
  expect(performance.now() - start).toBeLessThan(2_000);
});

describe('rulesOfOperations', () => {
  it('reads thin rectangles, strokes and the matrices of nested forms', () => {
    const [save, restore, transform, form, formEnd, path] = [10, 11, 12, 74, 75, 91];
    const [stroke, fill, clip] = [20, 22, 28];
    const horizontal = new Float32Array([0, 0, 0, 1, 100, 0]);
    const thin = new Float32Array([0, 0, 0, 1, 1, 0, 1, 1, 50, 1, 0, 50, 4]);
    const operations: [number, unknown][] = [
      [save, null],
      [transform, [1, 0, 0, 1, 20, 500]],
      [path, [stroke, [horizontal], null]],
      [restore, null],
      [form, [[2, 0, 0, 2, 0, 0], null]],
      [path, [fill, [thin], null]],
      [formEnd, null],
      [path, [clip, [horizontal], null]],
      [path, [stroke, [null], null]],
    ];
    const found = rulesOfOperations({
      fnArray: operations.map(([operation]) => operation),
      argsArray: operations.map(([, args]) => args),
    });
    expect(found.horizontal).toEqual([{ at: 500, from: 20, to: 120 }]);
    expect(found.vertical).toEqual([{ at: 0, from: 0, to: 100 }]);
  });

  it('reads any operations', () => {
    const args = fc.anything({ maxDepth: 3, withTypedArray: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(10, 11, 12, 74, 75, 91, 5), args)), (operations) => {
        const list = { fnArray: operations.map(([name]) => name), argsArray: operations.map(([, given]) => given) };
        expect(rulesOfOperations(list)).toEqual({ horizontal: expect.any(Array), vertical: expect.any(Array) });
      }),
    );
  });
});
