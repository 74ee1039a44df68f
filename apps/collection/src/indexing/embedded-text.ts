const SEPARATOR = ' › ';

/** The headings above a passage, as they are stored and shown. */
export const joinHeadings = (path: readonly string[]): string => path.join(SEPARATOR);

/** The reverse of `joinHeadings`, for headings that do not hold its separator themselves. */
export const splitHeadings = (heading: string): readonly string[] => (heading === '' ? [] : heading.split(SEPARATOR));

/** The text that stands for a passage in the dense space: its place in the document, then its words. */
export const embeddedText = (title: string, headingPath: readonly string[], text: string): string =>
  [title, ...headingPath.filter((heading) => heading !== title), text].join('\n');
