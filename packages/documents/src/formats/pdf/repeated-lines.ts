import { isTableBlock, type PageBlock } from '#layout/page-blocks';
import type { Line } from '#text/line';

/** Running heads and page numbers are among the first or last lines of a page. */
const edgeLines = 2;
const minPages = 3;
const repeatedShare = 0.6;

/** Page numbers differ between pages; the words around them do not. */
const keyOf = (line: Line): string => line.text.replace(/\d+/g, '#').toLowerCase();

/** Tables are never dropped: those that go over several pages can begin with the same rows. */
const edgesOf = (blocks: readonly PageBlock[]): Line[] =>
  [...new Set([...blocks.slice(0, edgeLines), ...blocks.slice(-edgeLines)])].filter(
    (block): block is Line => !isTableBlock(block),
  );

/** Returns the pages without lines that repeat at the top or bottom of most of them. */
export const dropRepeated = (pages: readonly (readonly PageBlock[])[]): (readonly PageBlock[])[] => {
  if (pages.length < minPages) return [...pages];
  const counts = new Map<string, number>();
  for (const page of pages)
    for (const key of new Set(edgesOf(page).map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  const needed = Math.max(minPages, pages.length * repeatedShare);
  return pages.map((page) => {
    const dropped = new Set<PageBlock>(edgesOf(page).filter((line) => (counts.get(keyOf(line)) ?? 0) >= needed));
    return page.filter((block) => !dropped.has(block));
  });
};
