import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { boxUnits, decodeWords, encodeWords, type ParsedDocument, type PlacedWord } from '#index';
import {
  type DrawnPage,
  drawnPdf,
  groupedTable,
  otherPage,
  otherPageNames,
  tablePage,
  tableStyles,
} from './drawn-pages.ts';
import { parseSample } from './parse-sample.ts';

const [width, height] = [612, 792];

type Drawing = Pick<DrawnPage, 'texts' | 'rules'>;

/** Returns the words of a page. */
const wordsOf = ({ pageWords = [] }: ParsedDocument, number: number): PlacedWord[] => {
  const page = pageWords.find(({ page }) => page === number);
  return page === undefined ? [] : decodeWords(page.words, page.start);
};

/** Returns the texts that were drawn at a box. Boxes are off by one letter if spaces are stretched. */
const drawnAt = ({ texts }: Drawing, { box: [left, top, right, bottom] }: PlacedWord): string[] => {
  const [x, y] = [(left / boxUnits) * width, (1 - (top + bottom) / 2 / boxUnits) * height];
  const end = (right / boxUnits) * width;
  return texts
    .filter((drawn) => y > drawn.y - drawn.size * 0.3 && y < drawn.y + drawn.size && end > drawn.x - drawn.size * 1.5)
    .filter((drawn) => x < drawn.x + drawn.text.length * drawn.size)
    .map(({ text }) => text);
};

/** What a drawn word can be in the text: without the hyphen at the end of a line, with escaped pipes. */
const sameWord = (drawn: string, written: string): boolean =>
  drawn === written || drawn === `${written}-` || drawn === written.replaceAll('\\|', '|');

const expectSameWords = (document: ParsedDocument, pages: readonly Drawing[]): void => {
  for (const [index, page] of pages.entries()) {
    const words = wordsOf(document, index + 1);
    let last = document.pageOffsets?.[index] ?? 0;
    for (const word of words) {
      const written = document.text.slice(word.start, word.end);
      const drawn = drawnAt(page, word).flatMap((text) => text.split(/\s+/));
      if (!drawn.some((each) => sameWord(each, written)))
        throw new Error(`${JSON.stringify(written)} is drawn among ${JSON.stringify(drawn)}`);
      expect(word.start).toBeGreaterThanOrEqual(last);
      last = word.end;
    }
  }
};

const seeds = Array.from({ length: 12 }, (_, seed) => seed + 1);

describe('the words of pages', () => {
  it.each([
    ...tableStyles.map((style) => [`tables: ${style}`, (seed: number) => tablePage(seed, style)] as const),
    ['grouped tables', (seed: number) => groupedTable(seed, 'lines')] as const,
    ...otherPageNames.map((name, kind) => [name, (seed: number) => otherPage(seed, kind)] as const),
  ])('name the same words in the text: %s', async (_name, draw) => {
    for (const seed of seeds) {
      const pages = [draw(seed)];
      const document = await parseSample(drawnPdf(pages), 'a.pdf').catch(() => undefined);
      if (document === undefined) continue;
      expectSameWords(document, pages);
      const drawn = pages[0]!.texts.flatMap(({ text }) => text.split(/\s+/).filter((token) => /\w/.test(token)));
      // List marks and dropped lines have no words.
      expect(wordsOf(document, 1).length).toBeGreaterThan(drawn.length * 0.9);
    }
  });

  const token = fc.oneof(
    fc.constantFrom(
      'a',
      'the',
      '#',
      '##',
      '-',
      '*',
      '1.',
      '|',
      'a|b',
      '\\',
      '```',
      '(x)',
      'well-',
      'co-op',
      '12',
      '3.5',
      '~~~',
    ),
    fc.stringMatching(/^[a-z]{1,8}-?$/),
  );
  const line = fc.record({
    words: fc.array(token, { minLength: 1, maxLength: 8 }),
    size: fc.constantFrom(10, 10, 10, 18),
    indent: fc.constantFrom(0, 0, 20),
    columns: fc.boolean(),
  });

  it('name the same words for any lines, marks, hyphens and columns', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(line, { maxLength: 25 }), { minLength: 1, maxLength: 4 }), async (drawn) => {
        const pages = drawn.map((lines) => ({
          rules: [],
          texts: lines.flatMap(({ words, size, indent, columns }, index) => {
            const y = 740 - index * 24;
            return columns
              ? words.map((text, column) => ({ x: 40 + column * 65, y, size: Math.min(size, 10), text }))
              : [{ x: 40 + indent, y, size, text: words.join(' ') }];
          }),
        }));
        const document = await parseSample(drawnPdf(pages), 'a.pdf').catch(() => undefined);
        if (document !== undefined) expectSameWords(document, pages);
      }),
      { numRuns: 150 },
    );
  });

  it('keep their codes, and reject damaged ones', () => {
    const edge = fc.integer({ min: 0, max: boxUnits });
    const word = fc.record({
      gap: fc.nat(50),
      length: fc.nat(2_000),
      x: fc.tuple(edge, edge),
      y: fc.tuple(edge, edge),
    });
    fc.assert(
      fc.property(fc.nat(1e9), fc.array(word, { maxLength: 300 }), (start, words) => {
        let end = start;
        const placed = words.map(({ gap, length, x, y }): PlacedWord => {
          const from = end + gap;
          end = from + length;
          const [left, right, top, bottom] = [Math.min(...x), Math.max(...x), Math.min(...y), Math.max(...y)];
          return { start: from, end, box: [left, top, right, bottom] };
        });
        expect(decodeWords(encodeWords(placed, start), start)).toEqual(placed);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          for (const { start, end, box } of decodeWords(bytes, 0)) {
            expect(end).toBeGreaterThanOrEqual(start);
            expect(box.every((value) => value >= 0 && value <= boxUnits)).toBe(true);
          }
        } catch (error) {
          expect(String(error)).toMatch(/Error/);
        }
      }),
    );
  });
});
