import { expect, it } from '@jest/globals';
import { toOneScale } from '#formats/one-scale';
import { linesOfBlocks } from '#layout/page-blocks';
import type { Line } from '#text/line';

const lines = (size: number, count = 3): Line[] =>
  Array.from({ length: count }, (_, at) => ({
    text: `Line ${at}`,
    left: 72,
    right: 500,
    baseline: 700 - at * 14,
    size,
  }));

const sizesOf = (pages: ReturnType<typeof toOneScale>) =>
  pages.map((page) => linesOfBlocks(page).map(({ size }) => size));

it('gives pages in the same type the body size of the first one, and keeps their headings larger', () => {
  const heading = { ...lines(16, 1)[0]!, text: 'Head' };
  const scaled = sizesOf(toOneScale([lines(8), [heading, ...lines(10)], []], []));
  expect(scaled).toEqual([[8, 8, 8], [12.8, 8, 8, 8], []]);
});

it('gives them the body size of the pages with a text layer', () => {
  expect(sizesOf(toOneScale([lines(8)], [lines(10)]))).toEqual([[10, 10, 10]]);
});

it('keeps the sizes of a page in another type', () => {
  expect(sizesOf(toOneScale([lines(8), lines(24)], []))).toEqual([
    [8, 8, 8],
    [24, 24, 24],
  ]);
});
