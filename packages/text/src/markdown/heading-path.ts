const SEPARATOR = ' › ';

/** Returns the headings above a passage, outermost first, as one text: stored, shown and searched. */
export const joinHeadings = (path: readonly string[]): string => path.join(SEPARATOR);

/** Reverses `joinHeadings`, for headings that do not contain the separator. */
export const splitHeadings = (heading: string): readonly string[] => (heading === '' ? [] : heading.split(SEPARATOR));
