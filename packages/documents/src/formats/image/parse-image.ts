import { toOneScale } from '#formats/one-scale';
import { dropRepeated } from '#formats/pdf/repeated-lines';
import { PageTextWriter } from '#formats/pdf/write-pages';
import { findRecognizedBlocks } from '#layout/page-blocks';
import { countImagePages } from '#ocr/image-pages';
import { OcrNeeded, ParseError } from '#parse-error';
import type { FormatParser } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';
import { collectWords, type PageToKeep } from '#words/collect-words';
import { recognizedBoxes } from '#words/recognized-boxes';

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Parses an image, or a TIFF of several pages: recognized lines joined into paragraphs, like those of a PDF. */
export const parseImage: FormatParser = async ({ bytes, limits, ocr }) => {
  const pages = numbersTo(countImagePages(bytes));
  if (ocr?.recognized === undefined) throw new OcrNeeded(pages);
  const { recognized } = ocr;
  const byNumber = new Map(recognized.map(({ page, lines, rules }) => [page, findRecognizedBlocks(lines, rules)]));
  const scaled = toOneScale(
    pages.map((page) => byNumber.get(page) ?? []),
    [],
  );
  const blocks = dropRepeated(scaled);
  const writer = new DocumentWriter(limits.maxTextChars);
  const text = new PageTextWriter(writer, blocks);
  const recognizedBy = new Map(recognized.map((page) => [page.page, page]));
  const toKeep: PageToKeep[] = [];
  for (const [index, page] of blocks.entries()) {
    writer.startPage();
    const found = text.write(page);
    const source = recognizedBy.get(index + 1);
    const { width = 0, height = 0 } = source ?? {};
    toKeep.push({ width, height, found, boxes: source ? recognizedBoxes(source) : [] });
  }
  if (writer.isEmpty) {
    throw new ParseError('no_text', 'This image contains no text: text recognition found no words in it.');
  }
  const written = writer.finish();
  const pageWords = collectWords(written, toKeep);
  return { ...written, pageWords, title: text.firstHeading, metadata: { pages: pages.length }, recognized };
};
