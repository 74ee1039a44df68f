import { maxWordsPerPage, type RecognizedPage, type WordBox } from '#ocr/recognized-page';
import type { Piece } from '#text/line';

/** The size of a recognized image, and how it was turned. */
export interface ImageGeometry {
  readonly width: number;
  readonly height: number;
  /** Points (1/72 inch) per pixel. */
  readonly pointsPerPixel: number;
  /** The angle, in radians, by which the image was turned clockwise before it was recognized. */
  readonly angle: number;
}

interface TsvWord {
  /** Its index in the words of the page. */
  readonly index: number;
  readonly line: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly confidence: number;
  readonly text: string;
}

const wordLevel = '5';

/** Reads the words of Tesseract's table: level, page, block, paragraph, line, word, box, confidence, text. */
const readWords = (tsv: string): TsvWord[] => {
  const words: TsvWord[] = [];
  for (const row of tsv.split('\n')) {
    const [level, page, block, paragraph, line, , left, top, width, height, confidence, text = ''] = row.split('\t');
    if (level !== wordLevel || text.trim() === '') continue;
    const [x, y] = [Number(left), Number(top)];
    words.push({
      index: words.length,
      line: [page, block, paragraph, line].join('/'),
      left: x,
      top: y,
      right: x + Number(width),
      bottom: y + Number(height),
      confidence: Math.min(100, Math.max(0, Math.round(Number(confidence)))),
      text: text.trim(),
    });
  }
  return words;
};

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const share = (value: number, whole: number): number =>
  Math.round(Math.min(1, Math.max(0, value / whole)) * 10_000) / 10_000;

/** Returns the box of a word on the page as it was before the image was turned. */
const boxOf = (word: TsvWord, { width, height, angle }: ImageGeometry): WordBox['box'] => {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const [x, y] = [(word.left + word.right) / 2 - width / 2, (word.top + word.bottom) / 2 - height / 2];
  const [centerX, centerY] = [x * cos + y * sin + width / 2, y * cos - x * sin + height / 2];
  const [halfWidth, halfHeight] = [(word.right - word.left) / 2, (word.bottom - word.top) / 2];
  return [
    share(centerX - halfWidth, width),
    share(centerY - halfHeight, height),
    share(centerX + halfWidth, width),
    share(centerY + halfHeight, height),
  ];
};

/** Letters with and without ascenders and descenders differ in height by less than this. */
export const sameSizeRatio = 1.35;

/**
 * Returns the type size of a line of this height. Heights depend on the letters of the line, so
 * all heights around the median are body text.
 */
const sizeOf = (height: number, body: number): number => {
  if (height > body / sameSizeRatio && height < body * sameSizeRatio) return Math.round(body * 10) / 10;
  const steps = Math.round(Math.log(height / body) / Math.log(sameSizeRatio));
  return Math.round(body * sameSizeRatio ** steps * 10) / 10;
};

/** A gap wider than this multiple of the height of the words can be between two columns. */
const pieceGap = 0.9;
/** What a vertical line between two columns is recognized as. */
const verticalLine = /^[|¦]+|[|¦]+$/g;

/** A word with a space in it counts as two. */
const indexesOf = ({ index, text }: Pick<TsvWord, 'index' | 'text'>): number[] => text.split(' ').map(() => index);

const piecesOf = (words: readonly TsvWord[], pointsPerPixel: number): { readonly pieces?: readonly Piece[] } => {
  const maxGap = median(words.map((word) => word.bottom - word.top)) * pieceGap;
  const pieces: { text: string; left: number; right: number; words: number[] }[] = [];
  let end = -Infinity;
  for (const word of words) {
    const text = word.text.replace(verticalLine, '');
    const isSplit = word.left - end > maxGap || text !== word.text;
    // Nothing joins the word after a line between two columns.
    end = text === '' ? -Infinity : Math.max(end, word.right);
    if (text === '') continue;
    const [left, right] = [word.left * pointsPerPixel, word.right * pointsPerPixel];
    const last = isSplit ? undefined : pieces.at(-1);
    if (last) {
      Object.assign(last, { text: `${last.text} ${text}`, right: Math.max(last.right, right) });
      last.words.push(...indexesOf({ index: word.index, text }));
    } else pieces.push({ text, left, right, words: indexesOf({ index: word.index, text }) });
  }
  return pieces.length < 2 ? {} : { pieces };
};

/** Returns the lines of a page, with coordinates in points from the lower left corner. */
const linesOf = (words: readonly TsvWord[], { height, pointsPerPixel }: ImageGeometry): RecognizedPage['lines'] => {
  const lines = [...Map.groupBy(words, (word) => word.line).values()].map((group) => ({
    text: group.map((word) => word.text).join(' '),
    left: Math.min(...group.map((word) => word.left)) * pointsPerPixel,
    right: Math.max(...group.map((word) => word.right)) * pointsPerPixel,
    baseline: (height - median(group.map((word) => word.bottom))) * pointsPerPixel,
    height: median(group.map((word) => word.bottom - word.top)) * pointsPerPixel,
    words: group.flatMap(indexesOf),
    ...piecesOf(group, pointsPerPixel),
  }));
  const body = Math.max(1, median(lines.map((line) => line.height)));
  return lines.map(({ height: lineHeight, ...line }) => ({ ...line, size: sizeOf(Math.max(1, lineHeight), body) }));
};

/** Below this mean confidence, the words of a page are noise, for example of a photo. */
const minConfidence = 30;

/** Reads the table of words that Tesseract returns for a page. */
export const readPage = (page: number, tsv: string, geometry: ImageGeometry): RecognizedPage => {
  const words = readWords(tsv);
  const total = words.reduce((sum, word) => sum + word.confidence, 0);
  const confidence = words.length === 0 ? 0 : Math.round(total / words.length);
  const { width, height } = geometry;
  return {
    page,
    width,
    height,
    confidence,
    lines: confidence < minConfidence ? [] : linesOf(words, geometry),
    words: words
      .slice(0, maxWordsPerPage)
      .map((word) => ({ text: word.text, confidence: word.confidence, box: boxOf(word, geometry) })),
  };
};
