import { extname } from 'node:path/posix';

/** Types of documents besides pages. Style sheets, scripts, feeds and images are not documents. */
const DOCUMENT_TYPES: ReadonlySet<string> = new Set([
  'application/pdf',
  'application/rtf',
  'text/rtf',
  'application/epub+zip',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
  'text/plain',
  'text/markdown',
  'text/x-markdown',
  'text/csv',
]);

/** Names of documents that many servers deliver without their type. */
const DOCUMENT_NAMES = new Set('.pdf .docx .pptx .xlsx .odt .ods .odp .rtf .epub .md .txt .csv'.split(' '));

const essenceOf = (contentType: string | null): string =>
  (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** Returns true for pages. A response without a type counts as one, as in browsers. */
export const isHtml = (contentType: string | null): boolean =>
  ['', 'text/html', 'application/xhtml+xml'].includes(essenceOf(contentType));

/** Returns the type of a document that Lectern can read; undefined for all others. */
export function documentTypeOf(contentType: string | null, { pathname }: URL): string | undefined {
  const essence = essenceOf(contentType);
  if (DOCUMENT_TYPES.has(essence)) return contentType?.slice(0, 200) ?? essence;
  const isUntyped = ['application/octet-stream', 'binary/octet-stream', 'application/x-download'].includes(essence);
  return isUntyped && DOCUMENT_NAMES.has(extname(pathname).toLowerCase()) ? essence : undefined;
}
