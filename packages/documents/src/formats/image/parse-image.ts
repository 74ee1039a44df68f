import { toOneScale } from '#formats/one-scale';
import { dropRepeated } from '#formats/pdf/repeated-lines';
import { PageTextWriter } from '#formats/pdf/write-pages';
import { countImagePages } from '#ocr/image-pages';
import { OcrNeeded, ParseError } from '#parse-error';
import type { FormatParser } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Parses an image, or a TIFF of several pages: recognized lines joined into paragraphs, like those of a PDF. */
export const parseImage: FormatParser = async ({ bytes, limits, ocr }) => {
  const pages = numbersTo(countImagePages(bytes));
  if (ocr?.recognized === undefined) throw new OcrNeeded(pages);
  const { recognized } = ocr;
  const byNumber = new Map(recognized.map((page) => [page.page, page.lines]));
  const scaled = toOneScale(
    pages.map((page) => byNumber.get(page) ?? []),
    [],
  );
  const lines = dropRepeated(scaled);
  const writer = new DocumentWriter(limits.maxTextChars);
  const text = new PageTextWriter(writer, lines);
  for (const page of lines) {
    writer.startPage();
    text.write(page);
  }
  if (writer.isEmpty) {
    throw new ParseError('no_text', 'This image contains no text: text recognition found no words in it.');
  }
  return { ...writer.finish(), title: text.firstHeading, metadata: { pages: pages.length }, recognized };
};
