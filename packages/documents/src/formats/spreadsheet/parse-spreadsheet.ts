import { read, type WorkBook } from '@e965/xlsx';
import { coreProperties } from '#formats/ooxml/core-properties';
import { drawingParagraphs } from '#formats/ooxml/drawing-text';
import { sheetBlocks } from '#formats/spreadsheet/sheet-blocks';
import { readXml } from '#markup/read-xml';
import { ParseError } from '#parse-error';
import type { FormatParser, ParsedContent, ParseLimits } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';
import { hasHeader } from '#text/has-header';
import { openZip, repackZip } from '#zip/zip-archive';

/** Pictures, macros, embedded files and cached pivot data contain no text of the sheets. */
const isRead = (name: string): boolean =>
  !/(?:^|\/)(?:media|embeddings|pivotCache|printerSettings|Pictures|Thumbnails)\/|\.bin$/i.test(name) ||
  /^xl\/(?:workbook|sharedStrings|styles|worksheets\/[^/]+)\.bin$/i.test(name);

const drawingPart = /^xl\/drawings\/drawing\d+\.xml$/;

const readWorkbook = (bytes: Uint8Array): WorkBook =>
  read(bytes, { type: 'array', dense: true, cellFormula: false, cellHTML: false, dateNF: 'yyyy-mm-dd' });

const writeSheets = (workbook: WorkBook, writer: DocumentWriter): void => {
  for (const name of workbook.SheetNames) {
    writer.startPage();
    const blocks = [...sheetBlocks(workbook.Sheets[name])];
    if (blocks.length > 0) writer.heading(2, name);
    for (const rows of blocks) writer.table(rows, { hasHeader: hasHeader(rows) });
  }
};

/** Returns true for a workbook of Excel 97 to 2003: a compound file or XML, not a ZIP archive. */
const isOldWorkbook = (bytes: Uint8Array): boolean => bytes[0] !== 0x50;

const openOldWorkbook = (bytes: Uint8Array): WorkBook => {
  try {
    return readWorkbook(bytes);
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message)) {
      throw new ParseError(
        'encrypted',
        'This Excel workbook is protected by a password. Remove the password and upload the file again.',
        { cause: error },
      );
    }
    throw error;
  }
};

const parseOldWorkbook = (bytes: Uint8Array, limits: ParseLimits): ParsedContent => {
  const workbook = openOldWorkbook(bytes);
  const writer = new DocumentWriter(limits.maxTextChars);
  writeSheets(workbook, writer);
  const { Title: title, Author: author } = workbook.Props ?? {};
  return { ...writer.finish(), title, metadata: { author, pages: workbook.SheetNames.length } };
};

/**
 * Parses a workbook: one page per sheet, cells as displayed (dates, currencies). Empty rows
 * separate the tables of a sheet.
 */
export const parseSpreadsheet: FormatParser = async ({ bytes, limits }) => {
  if (isOldWorkbook(bytes)) return parseOldWorkbook(bytes, limits);
  const zip = await openZip(bytes, limits.maxInflatedBytes);
  const workbook = readWorkbook(await repackZip(zip, isRead));
  const writer = new DocumentWriter(limits.maxTextChars);
  writeSheets(workbook, writer);
  for (const part of zip.names.filter((name) => drawingPart.test(name))) {
    for (const text of drawingParagraphs(readXml(await zip.read(part)))) writer.paragraph(text);
  }
  const { title, metadata } = await coreProperties(zip);
  return { ...writer.finish(), title, metadata: { ...metadata, pages: workbook.SheetNames.length } };
};
