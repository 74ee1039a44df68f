import { type FileType, fileTypes } from '#detect/file-formats';
import { signatures } from '#detect/signatures';

const latin1 = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', Math.max(0, start), Math.max(0, end));

/**
 * The entries that identify a ZIP-based format are at the beginning, or in the directory at the
 * end.
 */
const zipEdgeBytes = 256 * 1024;

const sniffZip = (bytes: Uint8Array): FileType => {
  const head = latin1(bytes, 0, zipEdgeBytes);
  const names = head + latin1(bytes, bytes.length - zipEdgeBytes, bytes.length);
  const declared =
    /^.{26}[\s\S]{4}mimetypeapplication\/(epub\+zip|vnd\.oasis\.opendocument\.(text|spreadsheet|presentation))/s;
  const [, kind, open] = declared.exec(head) ?? [];
  if (kind === 'epub+zip' || names.includes('META-INF/container.xml')) return fileTypes.epub;
  if (open === 'text') return fileTypes.odt;
  if (open === 'spreadsheet') return fileTypes.ods;
  if (open === 'presentation') return fileTypes.odp;
  if (/word\/document\d*\.xml/.test(names)) return fileTypes.docx;
  if (/ppt\/presentation\d*\.xml/.test(names)) return fileTypes.pptx;
  if (/xl\/workbook\d*\.(xml|bin)/.test(names)) return fileTypes.xlsx;
  return fileTypes.zip;
};

/** Names of streams in the directory of a compound file (MS-CFB), which are UTF-16. */
const oleStreams: readonly (readonly [string, FileType])[] = [
  ['EncryptedPackage', fileTypes.encryptedOffice],
  ['WordDocument', fileTypes.doc],
  ['Workbook', fileTypes.xls],
  ['PowerPoint Document', fileTypes.ppt],
  ['__properties_version1.0', fileTypes.msg],
  ['Book', fileTypes.xls],
];

const sniffOle = (bytes: Uint8Array): FileType => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return oleStreams.find(([stream]) => buffer.includes(Buffer.from(stream, 'utf16le')))?.[1] ?? fileTypes.ole;
};

/** Detects formats with a signature; undefined for texts and unknown binary files. */
export const sniffBinary = (bytes: Uint8Array): FileType | undefined => {
  const head = latin1(bytes, 0, 1024);
  if (head.startsWith('PK\u0003\u0004') || head.startsWith('PK\u0005\u0006')) return sniffZip(bytes);
  if (head.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return sniffOle(bytes);
  // A PDF's header can be anywhere in the first 1,024 bytes (PDF 1.7, implementation note 13).
  if (/^\s*%PDF-/.test(head) || (head.includes('%PDF-') && head.includes('\n%'))) return fileTypes.pdf;
  if (/^\s*(?:\xef\xbb\xbf)?\{\\rtf/.test(head)) return fileTypes.rtf;
  return signatures.find(([offset, signature]) => head.startsWith(signature, offset))?.[2];
};
