import { type FileType, fileTypes } from '#detect/file-formats';
import { utf16WithoutMark } from '#text/decode-text';

const sampleBytes = 16 * 1024;

/**
 * Returns true if bytes look like text: a byte order mark, UTF-16, or few control characters and no NUL. A
 * few NULs are accepted if the name or the MIME type declares a text.
 */
export const looksLikeText = (bytes: Uint8Array, isDeclaredText: boolean): boolean => {
  const sample = bytes.subarray(0, sampleBytes);
  if ((sample[0] === 0xff && sample[1] === 0xfe) || (sample[0] === 0xfe && sample[1] === 0xff)) return true;
  if (utf16WithoutMark(sample)) return true;
  let nulls = 0;
  let control = 0;
  for (const byte of sample) {
    if (byte === 0) nulls++;
    // Tab, line feed, vertical tab, form feed, carriage return and escape occur in texts.
    else if (byte < 32 && (byte < 9 || byte > 13) && byte !== 27) control++;
  }
  if (nulls > (isDeclaredText ? Math.max(4, sample.length * 0.002) : 0)) return false;
  return control <= Math.max(1, sample.length * 0.02);
};

const html = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,4000}?-->\s*)*<(?:!doctype\s+html|html|head|body)[\s>]/i;
const headerLine = /^[A-Za-z][A-Za-z0-9-]{0,60}:/;
const mailHeader = /^(?:received|message-id|mime-version|return-path|delivered-to|from|to|subject|date|x-[a-z-]+):/i;

/** Returns true for a message: it begins with header lines, and at least three are mail headers. */
const looksLikeMail = (head: string): boolean => {
  const [block = ''] = head.replace(/^From .*\r?\n/, '').split(/\r?\n\r?\n/, 1);
  const lines = block.split(/\r?\n/);
  const headers = lines.filter((line) => !/^[ \t]/.test(line));
  return headers.every((line) => headerLine.test(line)) && headers.filter((line) => mailHeader.test(line)).length >= 3;
};

/**
 * Returns true for tab-separated values: the first lines have the same number of tabs, at least
 * two.
 */
const looksTabSeparated = (head: string): boolean => {
  const lines = head.split(/\r?\n/).slice(0, -1).slice(0, 20);
  const tabs = (line: string): number => line.split('\t').length - 1;
  const first = tabs(lines[0] ?? '');
  return lines.length >= 2 && first >= 2 && lines.every((line) => line === '' || tabs(line) === first);
};

/** LaTeX begins with its class, possibly after comments. */
const latex = /^\s*(?:%.*\n\s*)*\\document(?:class|style)\s*[[{]/;

/** A workbook that Excel 2002 to 2003 saved as XML. */
const xmlWorkbook =
  /^\s*<\?xml[^>]*>[\s\S]{0,2000}?<(?:\w+:)?Workbook\s[^>]*"urn:schemas-microsoft-com:office:spreadsheet"/;

/** Returns the format of a text if its beginning is unambiguous. */
export const sniffText = (head: string): FileType | undefined => {
  const start = head.replace(/^\ufeff/, '');
  if (html.test(start)) return fileTypes.html;
  if (xmlWorkbook.test(start)) return fileTypes.xmlWorkbook;
  if (latex.test(start)) return fileTypes.latex;
  if (looksLikeMail(start)) return fileTypes.eml;
  return looksTabSeparated(start) ? fileTypes.tsv : undefined;
};
