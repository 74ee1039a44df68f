/** Control characters except line feed and tab, C1 controls and bidirectional marks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the regex removes them
const UNPRINTABLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/** Removes control characters, so that text from documents cannot send escape sequences to the terminal. */
export function plainText(text: string): string {
  return text.replaceAll(UNPRINTABLE, '');
}

/** Like `plainText`, on one line. */
export function oneLine(text: string): string {
  return plainText(text.replaceAll(/\s+/g, ' ')).trim();
}
