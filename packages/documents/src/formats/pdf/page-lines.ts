import type { Line } from '#text/line';

interface Item {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly hasEOL: boolean;
}

type TextContent = { readonly items: readonly (Item | object)[] };

const isItem = (item: Item | object): item is Item => 'str' in item;

interface OpenLine {
  parts: string[];
  left: number;
  right: number;
  baseline: number;
  /** Characters of each type size. */
  sizes: Map<number, number>;
}

/** A gap between two pieces larger than this share of the type size separates words. */
const blankShare = 0.18;

const close = (line: OpenLine): Line[] => {
  const text = line.parts.join('').replace(/\s+/g, ' ').trim();
  const [size] = [...line.sizes].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, -1]);
  return text === '' ? [] : [{ text, left: line.left, right: line.right, baseline: line.baseline, size }];
};

/** Joins text pieces into lines: pieces on one baseline, from left to right. */
export const readLines = ({ items }: TextContent): Line[] => {
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
      open ??= { parts: [], left: x, right: x, baseline: y, sizes: new Map() };
      if (open.parts.length > 0 && x - open.right > size * blankShare) open.parts.push(' ');
      open.parts.push(item.str);
      open.right = Math.max(open.right, x + item.width);
      if (item.str.trim() !== '') open.sizes.set(size, (open.sizes.get(size) ?? 0) + item.str.length);
    }
    if (item.hasEOL) end();
  }
  end();
  return lines;
};
