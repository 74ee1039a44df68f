import { getDocumentProxy } from 'unpdf';
import { pageExtras } from '#formats/pdf/page-extras';
import { readLines } from '#formats/pdf/page-lines';
import { pdfMetadata } from '#formats/pdf/pdf-metadata';
import { dropRepeated } from '#formats/pdf/repeated-lines';
import { PageTextWriter } from '#formats/pdf/write-pages';
import { ParseError } from '#parse-error';
import type { FormatParser } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Opens a document. A document encrypted with an empty user password opens without a password. */
const openPdf = async (bytes: Uint8Array): Promise<PdfDocument> => {
  try {
    return await getDocumentProxy(bytes, { useSystemFonts: false, disableFontFace: true, verbosity: 0 });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new ParseError(
        'encrypted',
        'This PDF is protected by a password. Remove the password and upload the file again.',
        { cause: error },
      );
    }
    throw error;
  }
};

/**
 * Parses a PDF: lines joined into paragraphs, larger type as headings. Notes and form values follow
 * their page.
 */
export const parsePdf: FormatParser = async ({ bytes, limits }) => {
  const pdf = await openPdf(bytes);
  const pages = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const lines = readLines(await page.getTextContent({ includeMarkedContent: false }));
    pages.push({ lines, extras: await pageExtras(page) });
    page.cleanup();
  }
  const writer = new DocumentWriter(limits.maxTextChars);
  const pageLines = dropRepeated(pages.map((page) => page.lines));
  const text = new PageTextWriter(writer, pageLines);
  for (const [index, lines] of pageLines.entries()) {
    writer.startPage();
    text.write(lines);
    for (const extra of pages[index]?.extras ?? []) writer.paragraph(extra);
  }
  if (writer.isEmpty) {
    const advice = 'If it is a scan, run text recognition (OCR) on it and upload the result.';
    throw new ParseError('no_text', `This PDF contains no text: its pages are empty or images. ${advice}`);
  }
  const { title, metadata } = await pdfMetadata(pdf);
  await pdf.loadingTask.destroy();
  return { ...writer.finish(), title: title ?? text.firstHeading, metadata: { ...metadata, pages: pages.length } };
};
