import type { Line } from '#formats/pdf/page-lines';

/** Running heads and page numbers stand in the first or last lines of a page. */
const edgeLines = 2;
const fewestPages = 3;
const repeatedShare = 0.6;

/** Page numbers differ from page to page, the words around them do not. */
const keyOf = (line: Line): string => line.text.replace(/\d+/g, '#').toLowerCase();

const edgesOf = (lines: readonly Line[]): Line[] => [
  ...new Set([...lines.slice(0, edgeLines), ...lines.slice(-edgeLines)]),
];

/** Pages without the lines that stand at the edge of most of them. */
export const dropRepeated = (pages: readonly (readonly Line[])[]): (readonly Line[])[] => {
  if (pages.length < fewestPages) return [...pages];
  const counts = new Map<string, number>();
  for (const page of pages)
    for (const key of new Set(edgesOf(page).map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  const needed = Math.max(fewestPages, pages.length * repeatedShare);
  return pages.map((page) => {
    const dropped = new Set(edgesOf(page).filter((line) => (counts.get(keyOf(line)) ?? 0) >= needed));
    return page.filter((line) => !dropped.has(line));
  });
};
