/** Returns the text of a passage for the encoder: title and headings, then the text. */
export const embeddedText = (title: string, headingPath: readonly string[], text: string): string =>
  [title, ...headingPath.filter((heading) => heading !== title), text].join('\n');
