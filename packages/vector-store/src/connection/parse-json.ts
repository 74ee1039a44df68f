import { isAscii } from 'node:buffer';
import { z } from 'zod';

/**
 * V8 allocates texts above 128 KiB in pages of their own, which takes ten times as long as parsing
 * them. A text with one character above U+00FF, for example a dash, has two bytes per character.
 */
const MAX_TEXT_BYTES = 120 * 1024;
/** Points are parsed together up to this size. */
const PART_BYTES = 24 * 1024;

const POINTS = Buffer.from('"points":[');
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LIST_START = 0x5b;
const LIST_END = 0x5d;
const OBJECT_START = 0x7b;
const OBJECT_END = 0x7d;

/** Parses JSON in UTF-8. The lists of points of a large response are parsed in parts. */
export function parseJson(bytes: Buffer): unknown {
  const isShort = bytes.length * 2 <= MAX_TEXT_BYTES || (bytes.length <= MAX_TEXT_BYTES && isAscii(bytes));
  return (isShort ? undefined : parseInParts(bytes)) ?? JSON.parse(bytes.toString('utf8'));
}

/** The text outside the lists, with the number of each list in its place. */
const framed = z.looseObject({ points: z.tuple([z.int()]) });
const frame = z.looseObject({ result: z.union([framed, z.array(framed)]) });

/** Undefined for anything but lists of points in the form that Qdrant writes. */
function parseInParts(bytes: Buffer): unknown {
  const texts: string[] = [];
  const lists: unknown[][] = [];
  let rest = 0;
  for (let at = bytes.indexOf(POINTS); at >= 0; at = bytes.indexOf(POINTS, rest)) {
    const start = at + POINTS.length;
    const points: unknown[] = [];
    const end = readPoints(bytes, start, points);
    if (end === undefined) return undefined;
    texts.push(bytes.toString('utf8', rest, start), String(lists.length));
    lists.push(points);
    rest = end;
  }
  if (lists.length === 0) return undefined;
  texts.push(bytes.toString('utf8', rest));
  const { data } = frame.safeParse(JSON.parse(texts.join('')));
  if (data === undefined) return undefined;
  const withPoints = ({ points: [number], ...others }: z.output<typeof framed>) => ({
    ...others,
    points: lists[number] ?? [],
  });
  const { result } = data;
  return { ...data, result: Array.isArray(result) ? result.map(withPoints) : withPoints(result) };
}

/** Reads the points of a list. Returns the position of its end. */
function readPoints(bytes: Buffer, start: number, points: unknown[]): number | undefined {
  if (bytes[start] === LIST_END) return start;
  for (let from = start, at = start; ; at += 1) {
    const end = endOfObject(bytes, at);
    if (end === undefined) return undefined;
    at = end;
    const isLast = bytes[at] === LIST_END;
    if (!isLast && bytes[at] !== COMMA) return undefined;
    if (!isLast && at - from < PART_BYTES) continue;
    for (const point of JSON.parse(`[${bytes.toString('utf8', from, at)}]`)) points.push(point);
    if (isLast) return at;
    from = at + 1;
  }
}

/** Returns the position after an object. Its parts are checked when it is parsed. */
function endOfObject(bytes: Buffer, start: number): number | undefined {
  if (bytes[start] !== OBJECT_START) return undefined;
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfText(bytes, at + 1);
      if (at < 0) return undefined;
    } else if (byte === OBJECT_START || byte === LIST_START) depth += 1;
    else if (byte === OBJECT_END || byte === LIST_END) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** Returns the position of the quote that ends a text; -1 without one. */
function endOfText(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}
