import { bodySize } from '#formats/pdf/write-pages';
import { isTableBlock, linesOfBlocks, type PageBlock } from '#layout/page-blocks';
import { sameSizeRatio } from '#ocr/tsv';
import type { Line } from '#text/line';

type Pages = readonly (readonly PageBlock[])[];

const bodyOf = (blocks: readonly PageBlock[]): number => bodySize(linesOfBlocks(blocks));

/**
 * Returns recognized pages with the same body size. Heights of words in images depend on their
 * letters, so the bodies of two pages in the same type can differ by 35%, which would make one of
 * them headings. Pages whose bodies differ more keep their sizes.
 *
 * @param own The pages with a text layer, which have exact sizes. Empty if there are none.
 */
export const toOneScale = (recognized: Pages, own: Pages): Pages => {
  const target = bodyOf(own.flat()) || bodyOf(recognized.find((blocks) => blocks.length > 0) ?? []);
  return recognized.map((blocks) => {
    const body = bodyOf(blocks);
    const isSameType = body > target / sameSizeRatio && body < target * sameSizeRatio;
    const scaled = (line: Line): Line => ({ ...line, size: (line.size / body) * target });
    if (!isSameType) return blocks;
    return blocks.map((block) => (isTableBlock(block) ? { ...block, lines: block.lines.map(scaled) } : scaled(block)));
  });
};
