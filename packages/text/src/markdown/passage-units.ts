import { splitHeadings } from '#markdown/heading-path';
import { type ListBlock, markdownBlocks } from '#markdown/markdown-blocks';
import { plainCell, type TableBlock, type TableRow } from '#markdown/markdown-table';
import { splitSentences } from '#sentences';
import { type Span, sliceSpan } from '#span';

/** The smallest unit that a reply quotes. */
export interface TextUnit extends Span {
  readonly kind: 'sentence' | 'list_item' | 'table_row' | 'table_cell' | 'code';
  /** The passage's text between `start` and `end`, unchanged. */
  readonly text: string;
  /** The index of its block in the passage. Units of one list share it. */
  readonly block: number;
  /** Headings above it, outermost first: the passage's own and those within its text. */
  readonly headings: readonly string[];
  /**
   * Its lead-in: the sentence that introduces its list, or the column and row names of its table.
   */
  readonly lead: string;
  /** List items only: nesting, and whether the list is numbered. */
  readonly depth: number;
  readonly ordered: boolean;
  /** Table rows only: the column names; empty if the table has no header. */
  readonly columns: readonly string[];
}

type UnitPlace = Pick<TextUnit, 'depth' | 'ordered' | 'columns'>;

const NO_PLACE: UnitPlace = { depth: 0, ordered: false, columns: [] };

/** Longer rows contain prose, so they are split into cells. */
const MAX_ROW_LENGTH = 280;

/**
 * Splits a passage into units that can be quoted, in text order. `heading` is the path above it,
 * joined by `joinHeadings`.
 */
export function passageUnits(text: string, heading = ''): TextUnit[] {
  const units: TextUnit[] = [];
  const headings = new HeadingPath(heading);
  let intro = '';
  for (const [block, content] of markdownBlocks(text).entries()) {
    const make = unitMaker(text, block, headings.current());
    switch (content.kind) {
      case 'heading':
        headings.enter(content.level, content.text);
        intro = '';
        break;
      case 'paragraph': {
        const sentences = Array.from(splitSentences(text, content), (span) => make('sentence', span, ''));
        units.push(...sentences);
        intro = sentences.at(-1)?.text ?? '';
        break;
      }
      case 'code':
        units.push(make('code', content, intro));
        break;
      case 'list':
        units.push(...listUnits(text, content, intro, make));
        break;
      case 'table':
        units.push(...tableUnits(text, content, intro, make));
        break;
    }
  }
  return units;
}

type MakeUnit = (kind: TextUnit['kind'], span: Span, lead: string, place?: Partial<UnitPlace>) => TextUnit;

function unitMaker(text: string, block: number, headings: readonly string[]): MakeUnit {
  return (kind, { start, end }, lead, place) => {
    return { kind, start, end, text: text.slice(start, end), block, headings, lead, ...NO_PLACE, ...place };
  };
}

function listUnits(text: string, list: ListBlock, intro: string, make: MakeUnit): TextUnit[] {
  const parents: string[] = [];
  return list.items.map((item) => {
    const words = sliceSpan(text, item);
    parents.length = item.depth;
    const lead = [intro, ...parents].filter(Boolean).join(' ');
    parents[item.depth] = words;
    return make('list_item', item, lead, { depth: item.depth, ordered: list.ordered });
  });
}

function tableUnits(text: string, table: TableBlock, intro: string, make: MakeUnit): TextUnit[] {
  const rows = table.rows.filter((row) => row.cells.some((cell) => cell.end > cell.start));
  return rows.flatMap((row) => {
    if (row.end - row.start <= MAX_ROW_LENGTH) {
      return [make('table_row', row, [intro, ...table.header].join(' '), { columns: table.header })];
    }
    return cellUnits(text, table, row, make);
  });
}

function cellUnits(text: string, table: TableBlock, row: TableRow, make: MakeUnit): TextUnit[] {
  const [first] = row.cells;
  const label = first ? plainCell(sliceSpan(text, first)) : '';
  return row.cells.flatMap((cell, column) => {
    if (column === 0 || cell.end === cell.start) return [];
    const lead = [label, table.header[column]].filter(Boolean).join(', ');
    return [make('table_cell', cell, lead)];
  });
}

/** The headings above the current position in a passage. */
class HeadingPath {
  #above: readonly string[];
  readonly #within: { level: number; text: string }[] = [];

  constructor(heading: string) {
    this.#above = splitHeadings(heading);
  }

  enter(level: number, text: string): void {
    // A passage repeats the last headings of its path.
    const repeated = this.#above.indexOf(text);
    if (repeated >= 0) this.#above = this.#above.slice(0, repeated);
    while ((this.#within.at(-1)?.level ?? 0) >= level) this.#within.pop();
    this.#within.push({ level, text });
  }

  current(): readonly string[] {
    return [...new Set([...this.#above, ...this.#within.map((heading) => heading.text)])];
  }
}
