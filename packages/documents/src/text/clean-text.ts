const control = /(?![\t\n])[\p{Cc}\u00a0\u00ad\u200b\u2028\u2029\ufeff]/u;
const lineBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
const invisible = /(?![\t\n])[\p{Cc}\u00ad\u200b\ufeff]/gu;

/**
 * Makes text safe to store and search: one kind of line break, no control characters (PostgreSQL
 * rejects NUL), no soft hyphens or zero-width spaces, no lone surrogates. All else is unchanged.
 */
export const cleanText = (text: string): string => {
  const wellFormed = text.toWellFormed();
  if (!control.test(wellFormed)) return wellFormed;
  return wellFormed.replace(lineBreaks, '\n').replace(invisible, '').replaceAll('\u00a0', ' ');
};

/** Text on one line: each run of white space becomes one space. */
export const oneLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim();
