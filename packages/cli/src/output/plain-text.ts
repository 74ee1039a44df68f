/** Control characters but line feed and tab, C1 and the marks that turn text around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that must not reach a terminal.
const UNPRINTABLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/** Text from documents and servers, without what could steer a terminal (escape sequences). */
export function plainText(text: string): string {
  return text.replaceAll(UNPRINTABLE, '');
}

/** The same on one line. */
export function oneLine(text: string): string {
  return plainText(text.replaceAll(/\s+/g, ' ')).trim();
}
