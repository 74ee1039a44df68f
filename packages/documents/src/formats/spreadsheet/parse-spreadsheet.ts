import { read } from '@e965/xlsx';
import { coreProperties } from '#formats/ooxml/core-properties';
import { drawingParagraphs } from '#formats/ooxml/drawing-text';
import { sheetBlocks } from '#formats/spreadsheet/sheet-blocks';
import { readXml } from '#markup/read-xml';
import type { FormatParser } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';
import { hasHeader } from '#text/has-header';
import { ZipFile } from '#zip/open-zip';
import { repackZip } from '#zip/repack-zip';

/** Pictures, macros, embedded files and cached pivot data have no text of the sheets. */
const isRead = (name: string): boolean =>
  !/(?:^|\/)(?:media|embeddings|pivotCache|printerSettings|Pictures|Thumbnails)\/|\.bin$/i.test(name) ||
  /^xl\/(?:workbook|sharedStrings|styles|worksheets\/[^/]+)\.bin$/i.test(name);

const drawingPart = /^xl\/drawings\/drawing\d+\.xml$/;

/** A workbook: a page a sheet, its cells as they are shown (dates, currencies), the parts of a sheet between empty rows as tables. */
export const parseSpreadsheet: FormatParser = async ({ bytes, limits }) => {
  const zip = new ZipFile(bytes, limits.maxInflatedBytes);
  const workbook = read(repackZip(zip, isRead), {
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
    for (const text of drawingParagraphs(readXml(zip.read(part)))) writer.paragraph(text);
  }
  const { title, metadata } = coreProperties(zip);
  return { ...writer.finish(), title, metadata: { ...metadata, pages: workbook.SheetNames.length } };
};
