/** The supported formats; each has one parser. */
export type Format =
  | 'pdf'
  | 'image'
  | 'docx'
  | 'pptx'
  | 'spreadsheet'
  | 'doc'
  | 'ppt'
  | 'msg'
  | 'opendocument'
  | 'epub'
  | 'rtf'
  | 'eml'
  | 'html'
  | 'markdown'
  | 'asciidoc'
  | 'restructuredtext'
  | 'latex'
  | 'csv'
  | 'json'
  | 'jsonl'
  | 'notebook'
  | 'calendar'
  | 'archive'
  | 'code'
  | 'text';

export interface FileType {
  /** Undefined for known types that are not supported. */
  readonly format: Format | undefined;
  readonly mimeType: string;
  /** The name in messages: "a PDF", "an Excel workbook". */
  readonly name: string;
}

const office = 'application/vnd.openxmlformats-officedocument.';
const open = 'application/vnd.oasis.opendocument.';

export const fileTypes = {
  pdf: { format: 'pdf', mimeType: 'application/pdf', name: 'a PDF' },
  png: { format: 'image', mimeType: 'image/png', name: 'an image' },
  jpeg: { format: 'image', mimeType: 'image/jpeg', name: 'an image' },
  tiff: { format: 'image', mimeType: 'image/tiff', name: 'an image' },
  webp: { format: 'image', mimeType: 'image/webp', name: 'an image' },
  docx: { format: 'docx', mimeType: `${office}wordprocessingml.document`, name: 'a Word document' },
  pptx: { format: 'pptx', mimeType: `${office}presentationml.presentation`, name: 'a PowerPoint presentation' },
  xlsx: { format: 'spreadsheet', mimeType: `${office}spreadsheetml.sheet`, name: 'an Excel workbook' },
  ods: { format: 'spreadsheet', mimeType: `${open}spreadsheet`, name: 'an OpenDocument spreadsheet' },
  odt: { format: 'opendocument', mimeType: `${open}text`, name: 'an OpenDocument text' },
  odp: { format: 'opendocument', mimeType: `${open}presentation`, name: 'an OpenDocument presentation' },
  epub: { format: 'epub', mimeType: 'application/epub+zip', name: 'an EPUB book' },
  rtf: { format: 'rtf', mimeType: 'application/rtf', name: 'a rich text document' },
  eml: { format: 'eml', mimeType: 'message/rfc822', name: 'an email message' },
  html: { format: 'html', mimeType: 'text/html', name: 'a web page' },
  xhtml: { format: 'html', mimeType: 'application/xhtml+xml', name: 'a web page' },
  markdown: { format: 'markdown', mimeType: 'text/markdown', name: 'a Markdown document' },
  asciidoc: { format: 'asciidoc', mimeType: 'text/asciidoc', name: 'an AsciiDoc document' },
  restructuredtext: { format: 'restructuredtext', mimeType: 'text/x-rst', name: 'a reStructuredText document' },
  latex: { format: 'latex', mimeType: 'text/x-tex', name: 'a LaTeX document' },
  csv: { format: 'csv', mimeType: 'text/csv', name: 'a CSV table' },
  tsv: { format: 'csv', mimeType: 'text/tab-separated-values', name: 'a TSV table' },
  json: { format: 'json', mimeType: 'application/json', name: 'a JSON document' },
  jsonl: { format: 'jsonl', mimeType: 'application/x-ndjson', name: 'a JSON Lines document' },
  notebook: { format: 'notebook', mimeType: 'application/x-ipynb+json', name: 'a Jupyter notebook' },
  calendar: { format: 'calendar', mimeType: 'text/calendar', name: 'a calendar' },
  contacts: { format: 'calendar', mimeType: 'text/vcard', name: 'a list of contacts' },
  text: { format: 'text', mimeType: 'text/plain', name: 'a text' },
  doc: { format: 'doc', mimeType: 'application/msword', name: 'a Word document in the old .doc format' },
  xls: {
    format: 'spreadsheet',
    mimeType: 'application/vnd.ms-excel',
    name: 'an Excel workbook in the old .xls format',
  },
  xmlWorkbook: { format: 'spreadsheet', mimeType: 'application/vnd.ms-excel', name: 'an Excel workbook in XML' },
  ppt: {
    format: 'ppt',
    mimeType: 'application/vnd.ms-powerpoint',
    name: 'a PowerPoint presentation in the old .ppt format',
  },
  msg: { format: 'msg', mimeType: 'application/vnd.ms-outlook', name: 'an Outlook .msg message' },
  encryptedOffice: {
    format: undefined,
    mimeType: 'application/x-ms-encrypted-office',
    name: 'an encrypted Office document',
  },
  ole: { format: undefined, mimeType: 'application/x-cfb', name: 'a file in an old Microsoft Office format' },
  zip: { format: 'archive', mimeType: 'application/zip', name: 'a ZIP archive' },
  tar: { format: 'archive', mimeType: 'application/x-tar', name: 'a tar archive' },
  gzip: { format: 'archive', mimeType: 'application/gzip', name: 'a gzip archive' },
  /** A program or package that is technically a ZIP archive, for example a .jar. */
  zipPackage: { format: undefined, mimeType: 'application/zip', name: 'a package in ZIP format' },
  binary: { format: undefined, mimeType: 'application/octet-stream', name: 'a file of an unknown type' },
} as const satisfies Record<string, FileType>;
