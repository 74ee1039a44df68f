import { read } from '@e965/xlsx';
import { coreProperties } from '#formats/ooxml/core-properties';
import { drawingParagraphs } from '#formats/ooxml/drawing-text';
import { sheetBlocks } from '#formats/spreadsheet/sheet-blocks';
import { readXml } from '#markup/read-xml';
import type { FormatParser } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';
import { hasHeader } from '#text/has-header';
import { openZip, repackZip } from '#zip/zip-archive';

/** Pictures, macros, embedded files and cached pivot data contain no text of the sheets. */
const isRead = (name: string): boolean =>
  !/(?:^|\/)(?:media|embeddings|pivotCache|printerSettings|Pictures|Thumbnails)\/|\.bin$/i.test(name) ||
  /^xl\/(?:workbook|sharedStrings|styles|worksheets\/[^/]+)\.bin$/i.test(name);

const drawingPart = /^xl\/drawings\/drawing\d+\.xml$/;

/**
 * Parses a workbook: one page per sheet, cells as displayed (dates, currencies). Empty rows
 * separate the tables of a sheet.
 */
export const parseSpreadsheet: FormatParser = async ({ bytes, limits }) => {
  const zip = await openZip(bytes, limits.maxInflatedBytes);
  const workbook = read(await repackZip(zip, isRead), {
    type: 'array',
    dense: true,
    cellFormula: false,
    cellHTML: false,
    dateNF: 'yyyy-mm-dd',
  });
  const writer = new DocumentWriter(limits.maxTextChars);
  for (const name of workbook.SheetNames) {
    writer.startPage();
    const blocks = [...sheetBlocks(workbook.Sheets[name])];
    if (blocks.length > 0) writer.heading(2, name);
    for (const rows of blocks) writer.table(rows, { hasHeader: hasHeader(rows) });
  }
  for (const part of zip.names.filter((name) => drawingPart.test(name))) {
    for (const text of drawingParagraphs(readXml(await zip.read(part)))) writer.paragraph(text);
  }
  const { title, metadata } = await coreProperties(zip);
  return { ...writer.finish(), title, metadata: { ...metadata, pages: workbook.SheetNames.length } };
};
