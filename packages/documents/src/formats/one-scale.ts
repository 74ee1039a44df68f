import { bodySize } from '#formats/pdf/write-pages';
import { sameSizeRatio } from '#ocr/tsv';
import type { Line } from '#text/line';

type Pages = readonly (readonly Line[])[];

/**
 * Returns recognized pages with the same body size. Heights of words in images depend on their
 * letters, so the bodies of two pages in the same type can differ by 35%, which would make one of
 * them headings. Pages whose bodies differ more keep their sizes.
 *
 * @param own The pages with a text layer, which have exact sizes. Empty if there are none.
 */
export const toOneScale = (recognized: Pages, own: Pages): Pages => {
  const target = bodySize(own.flat()) || bodySize(recognized.find((lines) => lines.length > 0) ?? []);
  return recognized.map((lines) => {
    const body = bodySize(lines);
    const isSameType = body > target / sameSizeRatio && body < target * sameSizeRatio;
    return isSameType ? lines.map((line) => ({ ...line, size: (line.size / body) * target })) : lines;
  });
};
