import type { Format } from '#detect/file-formats';
import type { FormatParser } from '#parsed-document';

/** The parser of each format, loaded on first use: most child processes see few formats. */
export const parsers: Readonly<Record<Format, () => Promise<FormatParser>>> = {
  pdf: async () => (await import('#formats/pdf/parse-pdf')).parsePdf,
  image: async () => (await import('#formats/image/parse-image')).parseImage,
  docx: async () => (await import('#formats/docx/parse-docx')).parseDocx,
  pptx: async () => (await import('#formats/pptx/parse-pptx')).parsePptx,
  spreadsheet: async () => (await import('#formats/spreadsheet/parse-spreadsheet')).parseSpreadsheet,
  doc: async () => (await import('#formats/doc/parse-doc')).parseDoc,
  ppt: async () => (await import('#formats/ppt/parse-ppt')).parsePpt,
  msg: async () => (await import('#formats/msg/parse-msg')).parseMsg,
  opendocument: async () => (await import('#formats/opendocument/parse-opendocument')).parseOpendocument,
  epub: async () => (await import('#formats/epub/parse-epub')).parseEpub,
  rtf: async () => (await import('#formats/rtf/parse-rtf')).parseRtf,
  eml: async () => (await import('#formats/eml/parse-eml')).parseEml,
  html: async () => (await import('#formats/html/parse-html')).parseHtml,
  markdown: async () => (await import('#formats/markdown/parse-markdown')).parseMarkdown,
  asciidoc: async () => (await import('#formats/asciidoc/parse-asciidoc')).parseAsciidoc,
  restructuredtext: async () =>
    (await import('#formats/restructuredtext/parse-restructuredtext')).parseRestructuredtext,
  latex: async () => (await import('#formats/latex/parse-latex')).parseLatex,
  csv: async () => (await import('#formats/delimited/parse-delimited')).parseDelimited,
  json: async () => (await import('#formats/json/parse-json')).parseJson,
  jsonl: async () => (await import('#formats/json/parse-jsonl')).parseJsonl,
  notebook: async () => (await import('#formats/notebook/parse-notebook')).parseNotebook,
  calendar: async () => (await import('#formats/calendar/parse-calendar')).parseCalendar,
  archive: async () => (await import('#formats/archive/parse-archive')).parseArchive,
  code: async () => (await import('#formats/plain/parse-code')).parseCode,
  text: async () => (await import('#formats/plain/parse-text')).parseText,
};
