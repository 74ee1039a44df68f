import type { Format } from '#detect/file-formats';
import type { FormatParser } from '#parsed-document';

/** The parser of each format, loaded when the first such file comes: most children see few formats. */
export const parsers: Readonly<Partial<Record<Format, () => Promise<FormatParser>>>> = {
  html: async () => (await import('#formats/html/parse-html')).parseHtml,
  markdown: async () => (await import('#formats/markdown/parse-markdown')).parseMarkdown,
  code: async () => (await import('#formats/plain/parse-code')).parseCode,
  text: async () => (await import('#formats/plain/parse-text')).parseText,
};
