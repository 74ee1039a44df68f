import type { Line, Piece } from '#text/line';
import { usualWidth } from '#words/usual-width';
import type { WordBoxes } from '#words/word-boxes';

interface Item {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly hasEOL: boolean;
}

type TextContent = { readonly items: readonly (Item | object)[] };

const isItem = (item: Item | object): item is Item => 'str' in item;

interface OpenPiece {
  parts: string[];
  words: number[];
  left: number;
  right: number;
}

interface OpenLine {
  pieces: OpenPiece[];
  parts: string[];
  words: number[];
  left: number;
  right: number;
  baseline: number;
  /** Characters of each type size. */
  sizes: Map<number, number>;
}

/** A gap between two pieces larger than this share of the type size separates words. */
const blankShare = 0.18;

/** A wider gap can be between two columns. */
const pieceGap = 0.6;

const textOf = (parts: readonly string[]): string => parts.join('').replace(/\s+/g, ' ').trim();

const piecesOf = ({ pieces }: OpenLine): { readonly pieces?: readonly Piece[] } =>
  pieces.length < 2 ? {} : { pieces: pieces.map(({ parts, ...piece }) => ({ ...piece, text: textOf(parts) })) };

/** Adds an item to the last piece, or to a new one after a wide gap. Blank items do not fill gaps. */
const addToPieces = (
  { pieces }: OpenLine,
  {
    str,
    words,
    left,
    right,
    size,
  }: { str: string; words: readonly number[]; left: number; right: number; size: number },
): void => {
  if (str.trim() === '') return;
  const last = pieces.at(-1);
  if (last === undefined || left - last.right > size * pieceGap)
    pieces.push({ parts: [str], words: [...words], left, right });
  else {
    if (left - last.right > size * blankShare) last.parts.push(' ');
    const joinsWord = !endsBlank(last.parts) && !/^\s/.test(str);
    last.words.push(...words.slice(joinsWord ? 1 : 0));
    last.parts.push(str);
    last.right = Math.max(last.right, right);
  }
};

const close = (line: OpenLine): Line[] => {
  const text = textOf(line.parts);
  const [size] = [...line.sizes].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, -1]);
  if (text === '') return [];
  const { left, right, baseline, words } = line;
  return [{ text, left, right, baseline, size, words, ...piecesOf(line) }];
};

const endsBlank = (parts: readonly string[]): boolean => (parts.at(-1)?.at(-1) ?? ' ').trim() === '';

/**
 * Adds the words of an item to the boxes and to the line, in which its first word can continue the last
 * one. PDF.js returns only the width of the whole item.
 */
const addWords = (line: OpenLine, item: Item, boxes: WordBoxes): number[] => {
  const { str } = item;
  const words: number[] = [];
  const whole = usualWidth(str) || 1;
  let [before, end] = [0, 0];
  for (const { index, 0: word } of str.matchAll(/\S+/g)) {
    before += usualWidth(str, end, index);
    const width = usualWidth(word);
    const [from, to] = [before / whole, (before + width) / whole];
    before += width;
    end = index + word.length;
    const last = index === 0 && !endsBlank(line.parts) ? line.words.at(-1) : undefined;
    if (last !== undefined) boxes.extend(last, item, from, to);
    else line.words.push(boxes.add(item, from, to));
    words.push(line.words.at(-1) ?? 0);
  }
  return words;
};

/**
 * Joins text pieces into lines: pieces on one baseline, from left to right.
 * @param boxes Receives the boxes of the words; without it, lines have no words.
 */
export const readLines = ({ items }: TextContent, boxes?: WordBoxes): Line[] => {
  const lines: Line[] = [];
  let open: OpenLine | undefined;
  const end = (): void => {
    if (open) lines.push(...close(open));
    open = undefined;
  };
  for (const item of items) {
    if (!isItem(item)) continue;
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = item.transform;
    const size = Math.round((Math.hypot(c, d) || Math.hypot(a, b)) * 10) / 10;
    if (item.str !== '') {
      const sameLine = open && Math.abs(y - open.baseline) < Math.max(1, size * 0.4) && x > open.right - size * 2;
      if (!sameLine) end();
      open ??= { pieces: [], parts: [], words: [], left: x, right: x, baseline: y, sizes: new Map() };
      if (open.parts.length > 0 && x - open.right > size * blankShare) open.parts.push(' ');
      const words = boxes === undefined ? [] : addWords(open, item, boxes);
      open.parts.push(item.str);
      addToPieces(open, { str: item.str, words, left: x, right: x + item.width, size });
      open.right = Math.max(open.right, x + item.width);
      if (item.str.trim() !== '') open.sizes.set(size, (open.sizes.get(size) ?? 0) + item.str.length);
    }
    if (item.hasEOL) end();
  }
  end();
  return lines;
};
