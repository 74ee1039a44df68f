import { isTableBlock, linesOfBlocks, type PageBlock, type TableBlock } from '#layout/page-blocks';
import type { DocumentWriter } from '#text/document-writer';
import { hasHeader } from '#text/has-header';
import type { Line } from '#text/line';
import { type FoundWord, findWords } from '#words/find-words';

/** Headings are at least this much larger than body text. */
const headingRatio = 1.15;
const maxHeadingChars = 150;
/** A gap this much wider than the median line gap separates paragraphs. */
const gapRatio = 1.35;
/**
 * A line shorter than this share of the text width was not wrapped, so its paragraph ends there.
 */
const shortLineShare = 0.8;

const bullet = /^[•▪◦‣●○■□–*-]\s+/;
const listNumber = /^\(?(?:\d{1,3}|[a-z])[.)]\s+\S/;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Returns the type size of most characters; 0 without lines. */
export const bodySize = (lines: readonly Line[]): number => {
  const chars = new Map<number, number>();
  for (const { size, text } of lines) chars.set(size, (chars.get(size) ?? 0) + text.length);
  return [...chars].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, -1])[0];
};

const gapBetween = (above: Line, below: Line): number => (above.baseline - below.baseline) / Math.max(1, above.size);

/** Joins two lines of a paragraph and removes hyphenation at the line end. */
const joinLines = (text: string, next: string): string => {
  if (text.endsWith('\u00ad')) return text.slice(0, -1) + next;
  if (/\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(next)) return text.slice(0, -1) + next;
  const isEastern = /[\u3000-\u9fff\uff00-\uffef]$/.test(text) && /^[\u3000-\u9fff\uff00-\uffef]/.test(next);
  return isEastern ? text + next : `${text} ${next}`;
};

/**
 * Writes lines as headings, paragraphs and lists, and tables between them. Type sizes and gaps are compared over the whole
 * document.
 */
export class PageTextWriter {
  readonly #writer: DocumentWriter;
  readonly #body: number;
  readonly #usualGap: number;
  readonly #headingSizes: readonly number[];
  firstHeading: string | undefined;

  constructor(writer: DocumentWriter, blocks: readonly (readonly PageBlock[])[]) {
    const pages = blocks.map(linesOfBlocks);
    const all = pages.flat();
    this.#writer = writer;
    this.#body = bodySize(all);
    const gaps = pages.flatMap((page) => page.slice(1).map((line, index) => gapBetween(page[index] ?? line, line)));
    this.#usualGap = median(gaps.filter((gap) => gap > 0.5 && gap < 4)) || 1.2;
    const sizes = all.filter((line) => line.size > this.#body * headingRatio).map((line) => line.size);
    this.#headingSizes = [...new Set(sizes)].sort((a, b) => b - a);
  }

  /** Writes a page. Returns its words, at their places in the document's text. */
  write(blocks: readonly PageBlock[]): FoundWord[] {
    const found: FoundWord[] = [];
    const edge = Math.max(0, ...linesOfBlocks(blocks).map((line) => line.right));
    let paragraph: Line[] = [];
    for (const line of blocks) {
      if (isTableBlock(line)) {
        found.push(...this.#paragraph(paragraph), ...this.#table(line));
        paragraph = [];
        continue;
      }
      const above = paragraph.at(-1);
      if (above && this.#startsParagraph(above, line, edge)) {
        found.push(...this.#paragraph(paragraph));
        paragraph = [];
      }
      paragraph.push(line);
    }
    return [...found, ...this.#paragraph(paragraph)];
  }

  #table({ rows, words }: TableBlock): FoundWord[] {
    return this.#writer.placedTable(rows, { hasHeader: hasHeader(rows) }).flatMap((block) =>
      block.cells.flatMap(({ row, column, start, length }) => {
        const cell = { text: rows[row]?.[column] ?? '', words: words[row]?.[column] };
        return findWords(block, [cell], start, start + length);
      }),
    );
  }

  #startsParagraph(above: Line, line: Line, edge: number): boolean {
    const gap = gapBetween(above, line);
    if (gap < -0.5 || gap > this.#usualGap * gapRatio) return true;
    if (Math.abs(above.size - line.size) > Math.max(above.size, line.size) * 0.1) return true;
    if (bullet.test(line.text) || listNumber.test(line.text)) return true;
    return above.right < edge * shortLineShare && /[.!?:;]["')”]?$/.test(above.text);
  }

  #paragraph(lines: readonly Line[]): FoundWord[] {
    const [first] = lines;
    if (!first) return [];
    const text = lines.slice(1).reduce((joined, line) => joinLines(joined, line.text), first.text);
    const rank = this.#headingSizes.indexOf(first.size);
    const isHeading = rank !== -1 && text.length <= maxHeadingChars && /\p{L}{2}/u.test(text);
    if (isHeading) {
      this.firstHeading ??= text;
      const heading = this.#writer.heading(Math.min(rank + 1, 4), text);
      return findWords(heading, lines, heading.text.indexOf(' '));
    }
    if (!bullet.test(text)) return findWords(this.#writer.paragraph(text), lines);
    const item = this.#writer.listItem(text.replace(bullet, ''), 0);
    // The writer replaces the mark, so the item begins with the second word.
    const { words } = first;
    const rest = { text: first.text.replace(bullet, ''), words: words?.slice(1) };
    return findWords(item, [rest, ...lines.slice(1)], item.text.indexOf(' '));
  }
}
