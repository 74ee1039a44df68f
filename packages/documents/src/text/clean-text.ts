// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const unwanted = /[\u0000-\u0008\u000b-\u001f\u007f\u00a0\u00ad\u200b\u2028\u2029\ufeff]/;
const lineBreaks = /\r\n?|[\u000b\u000c\u2028\u2029]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const invisible = /[\u0000-\u0008\u000e-\u001f\u007f\u00ad\u200b\ufeff]/g;

/**
 * Makes text safe to store and search: one kind of line break, no control characters (PostgreSQL refuses NUL), no soft
 * hyphens or zero-width spaces inside words, no lone surrogates. Everything else stays as it was written.
 */
export const cleanText = (text: string): string => {
  const wellFormed = text.toWellFormed();
  if (!unwanted.test(wellFormed)) return wellFormed;
  return wellFormed.replace(lineBreaks, '\n').replace(invisible, '').replaceAll('\u00a0', ' ');
};

/** Text on one line: runs of white space become one blank. */
export const oneLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim();
