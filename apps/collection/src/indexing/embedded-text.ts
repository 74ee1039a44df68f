const SEPARATOR = ' › ';

/** Returns the headings above a passage as stored and shown. */
export const joinHeadings = (path: readonly string[]): string => path.join(SEPARATOR);

/** Reverses `joinHeadings`, for headings that do not contain the separator. */
export const splitHeadings = (heading: string): readonly string[] => (heading === '' ? [] : heading.split(SEPARATOR));

/** Returns the text of a passage for the encoder: title and headings, then the text. */
export const embeddedText = (title: string, headingPath: readonly string[], text: string): string =>
  [title, ...headingPath.filter((heading) => heading !== title), text].join('\n');
