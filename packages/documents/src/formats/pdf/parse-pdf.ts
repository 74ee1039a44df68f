import { getDocumentProxy } from 'unpdf';
import { toOneScale } from '#formats/one-scale';
import { pageExtras } from '#formats/pdf/page-extras';
import { readLines } from '#formats/pdf/page-lines';
import { pdfMetadata } from '#formats/pdf/pdf-metadata';
import { dropRepeated } from '#formats/pdf/repeated-lines';
import { PageTextWriter } from '#formats/pdf/write-pages';
import type { RecognizedPage } from '#ocr/recognized-page';
import { OcrNeeded, ParseError } from '#parse-error';
import type { FormatParser } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';
import type { Line } from '#text/line';

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

/** A page with fewer characters can be a scan with a stamp or a page number. */
const fewChars = 60;

const charsOf = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + line.text.length, 0);

/** Returns the numbers of the pages whose text is in images. */
const pagesToRecognize = async (bytes: Uint8Array, pages: readonly (readonly Line[])[]): Promise<number[]> => {
  const chars = pages.map(charsOf);
  if (!chars.some((count) => count < fewChars)) return [];
  // Most PDFs have text on every page and never need the renderer.
  const { PdfPages } = await import('#ocr/pdf-pages');
  const short = chars.flatMap((count, index) => (count < fewChars ? [index + 1] : []));
  try {
    using pdf = await PdfPages.open(bytes);
    return short.filter((number) => pdf.mayShowText(number, (chars[number - 1] ?? 0) > 0));
  } catch (error) {
    // PDF.js repairs files that PDFium cannot open. Each page then fails alone.
    if (error instanceof ParseError) return short;
    throw error;
  }
};

/** Below this confidence, a few words of a text layer are better than more recognized ones. */
const trustedConfidence = 60;

/** The lines of each page, and the pages whose lines were recognized. */
interface MergedPages {
  readonly lines: readonly (readonly Line[])[];
  readonly recognized: readonly RecognizedPage[];
}

/** Takes the text layer of each page, or the recognized lines if they are better. */
const withRecognized = (own: readonly (readonly Line[])[], recognized: readonly RecognizedPage[]): MergedPages => {
  const used = recognized.filter(({ page, lines, confidence }) => {
    const ownChars = charsOf(own[page - 1] ?? []);
    return ownChars === 0 || (confidence >= trustedConfidence && charsOf(lines) > ownChars);
  });
  const scaled = toOneScale(
    used.map(({ lines }) => lines),
    own.filter((_lines, index) => !used.some(({ page }) => page === index + 1)),
  );
  const found = new Map(used.map(({ page }, index) => [page, scaled[index]]));
  return { lines: own.map((lines, index) => found.get(index + 1) ?? lines), recognized: used };
};

/**
 * Parses a PDF: lines joined into paragraphs, larger type as headings. Notes and form values follow
 * their page. Pages without text are recognized first.
 */
export const parsePdf: FormatParser = async ({ bytes, limits, ocr }) => {
  const isFirstPass = ocr !== undefined && ocr.recognized === undefined;
  // PDF.js takes the bytes away from this thread.
  const pdf = await openPdf(isFirstPass ? bytes.slice() : bytes);
  try {
    const pages: { readonly lines: readonly Line[]; readonly extras: readonly string[] }[] = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const lines = readLines(await page.getTextContent({ includeMarkedContent: false }));
      pages.push({ lines, extras: await pageExtras(page) });
      page.cleanup();
    }
    const ownLines = pages.map((page) => page.lines);
    if (isFirstPass) {
      const missing = await pagesToRecognize(bytes, ownLines);
      if (missing.length > 0) throw new OcrNeeded(missing);
    }
    const merged = withRecognized(ownLines, ocr?.recognized ?? []);
    const pageLines = dropRepeated(merged.lines);
    const writer = new DocumentWriter(limits.maxTextChars);
    const text = new PageTextWriter(writer, pageLines);
    for (const [index, lines] of pageLines.entries()) {
      writer.startPage();
      text.write(lines);
      for (const extra of pages[index]?.extras ?? []) writer.paragraph(extra);
    }
    if (writer.isEmpty) {
      const advice =
        ocr === undefined
          ? 'If it is a scan, run text recognition (OCR) on it and upload the result.'
          : 'Text recognition found no words in its pictures.';
      throw new ParseError('no_text', `This PDF contains no text: its pages are empty or images. ${advice}`);
    }
    const { title, metadata } = await pdfMetadata(pdf);
    return {
      ...writer.finish(),
      title: title ?? text.firstHeading,
      metadata: { ...metadata, pages: pages.length },
      recognized: merged.recognized,
    };
  } finally {
    await pdf.loadingTask.destroy();
  }
};
