import { type FileType, fileTypes } from '#detect/file-formats';
import { signatures } from '#detect/signatures';
import { hasTarHeader } from '#detect/tar-header';
import { declaredType, zipNames } from '#detect/zip-names';

const latin1 = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', Math.max(0, start), Math.max(0, end));

const declaredTypes: readonly (readonly [string, FileType])[] = [
  [fileTypes.epub.mimeType, fileTypes.epub],
  [fileTypes.odt.mimeType, fileTypes.odt],
  [fileTypes.ods.mimeType, fileTypes.ods],
  [fileTypes.odp.mimeType, fileTypes.odp],
];

/** The main part of each Office format. */
const officeParts: readonly (readonly [RegExp, FileType])[] = [
  [/^word\/document\d*\.xml$/, fileTypes.docx],
  [/^ppt\/presentation\d*\.xml$/, fileTypes.pptx],
  [/^xl\/workbook\d*\.(?:xml|bin)$/, fileTypes.xlsx],
];

/** Only names in the archive itself count: an archive can contain Office files, and their parts in folders. */
const sniffZip = (bytes: Uint8Array): FileType => {
  const declared = declaredType(bytes);
  const found = declaredTypes.find(([mimeType]) => declared.startsWith(mimeType));
  if (found) return found[1];
  const names = zipNames(bytes);
  if (names.has('META-INF/container.xml')) return fileTypes.epub;
  if (!names.has('[Content_Types].xml')) return fileTypes.zip;
  const all = [...names];
  return officeParts.find(([part]) => all.some((name) => part.test(name)))?.[1] ?? fileTypes.zip;
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
  const signed = signatures.find(([offset, signature]) => head.startsWith(signature, offset))?.[2];
  return signed ?? (hasTarHeader(bytes) ? fileTypes.tar : undefined);
};
