import { type NamedType, typeOfName } from '#detect/extensions';
import { type FileType, fileTypes } from '#detect/file-formats';
import { sniffBinary } from '#detect/sniff-binary';
import { looksLikeText, sniffText } from '#detect/sniff-text';
import { decodeText } from '#text/decode-text';

const headBytes = 16 * 1024;

/** Returns true for text formats: their name or declared type can be right. */
const isTextual = (type: FileType | undefined): boolean =>
  type?.format !== undefined &&
  [
    'html',
    'markdown',
    'asciidoc',
    'restructuredtext',
    'latex',
    'csv',
    'json',
    'jsonl',
    'notebook',
    'calendar',
    'code',
    'text',
    'eml',
  ].includes(type.format);

const byMimeType = (mimeType: string | undefined): NamedType | undefined => {
  const essence = mimeType?.split(';', 1)[0]?.trim().toLowerCase();
  return Object.values(fileTypes).find((type) => type.mimeType === essence);
};

/** Signatures and grids of heights are called .asc too. AsciiDoc with this name begins with a title or an attribute. */
const isOtherAsc = (fileName: string, head: string): boolean =>
  /\.asc$/i.test(fileName) && !/^\ufeff?(?:\s*\n|\/\/.*\n)*(?:= \S|:[\w!-]+:)/.test(head);

const detectText = (
  bytes: Uint8Array,
  fileName: string,
  named: NamedType | undefined,
  mimeType: string | undefined,
): NamedType => {
  const head = decodeText(bytes.subarray(0, headBytes)).text;
  const sniffed = sniffText(head);
  // Excel's XML is often called .xml, which would win below.
  if (sniffed === fileTypes.xmlWorkbook) return sniffed;
  const claimed = [isOtherAsc(fileName, head) ? undefined : named, byMimeType(mimeType)].find(isTextual);
  // A specific extension wins: a .md file can begin with <html>.
  if (claimed && claimed.format !== 'text') return claimed;
  if (sniffed) return sniffed;
  if (claimed) return claimed;
  return /^\s*[{[]/.test(head) ? fileTypes.json : fileTypes.text;
};

/**
 * Many formats are ZIP archives that no one would unpack. An archive is named .zip, or has no extension: the
 * number of a version is none.
 */
const isZipPackage = (named: NamedType | undefined, fileName: string): boolean =>
  named !== fileTypes.zip && /\.[^./\\]*\p{L}[^./\\]*$/u.test(fileName);

/**
 * Detects the type of a file. A signature in the content outranks the name. Texts have no
 * signature: a known extension decides, then the type that the source declares, then the content.
 * An Office file too damaged to detect keeps the type of its extension, so that its parser reports
 * the problem.
 */
export const detectFileType = (bytes: Uint8Array, fileName: string, mimeType?: string): NamedType => {
  const named = typeOfName(fileName);
  const binary = sniffBinary(bytes);
  if (binary === fileTypes.zip && named?.format !== undefined && !isTextual(named) && named.format !== 'pdf')
    return named;
  if (
    binary === fileTypes.ole &&
    named &&
    [fileTypes.doc, fileTypes.xls, fileTypes.ppt].some((type) => type === named)
  ) {
    return named;
  }
  if (binary === fileTypes.zip) return isZipPackage(named, fileName) ? fileTypes.zipPackage : binary;
  if (binary) return binary;
  if (bytes.length === 0) return named ?? fileTypes.text;
  const isDeclaredText = isTextual(named) || isTextual(byMimeType(mimeType));
  if (looksLikeText(bytes, isDeclaredText)) return detectText(bytes, fileName, named, mimeType);
  return named && named.format === undefined ? named : fileTypes.binary;
};
