const SEPARATOR = ' › ';

/** Returns the headings above a passage as stored and shown. */
export const joinHeadings = (path: readonly string[]): string => path.join(SEPARATOR);

/** Returns the reverse of `joinHeadings`, for headings without its separator. */
export const splitHeadings = (heading: string): readonly string[] => (heading === '' ? [] : heading.split(SEPARATOR));

/** Returns the text of a passage for the encoder: its place in the document, then its words. */
export const embeddedText = (title: string, headingPath: readonly string[], text: string): string =>
  [title, ...headingPath.filter((heading) => heading !== title), text].join('\n');
