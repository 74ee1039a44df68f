import { getDocumentProxy } from 'unpdf';
import { toOneScale } from '#formats/one-scale';
import { pageExtras } from '#formats/pdf/page-extras';
import { readLines } from '#formats/pdf/page-lines';
import { readRules } from '#formats/pdf/page-rules';
import { pdfMetadata } from '#formats/pdf/pdf-metadata';
import { dropRepeated } from '#formats/pdf/repeated-lines';
import { PageTextWriter } from '#formats/pdf/write-pages';
import { findBlocks, findRecognizedBlocks, linesOfBlocks, mayHaveTables, type PageBlock } from '#layout/page-blocks';
import type { RecognizedPage } from '#ocr/recognized-page';
import { OcrNeeded, ParseError } from '#parse-error';
import type { FormatParser } from '#parsed-document';
import { DocumentWriter } from '#text/document-writer';
import type { Line } from '#text/line';
import { collectWords, type PageToKeep } from '#words/collect-words';
import type { Box } from '#words/page-words';
import { recognizedBoxes } from '#words/recognized-boxes';
import { type PageView, WordBoxes } from '#words/word-boxes';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;

/** Opens a document. A document encrypted with an empty user password opens without a password. */
const openPdf = async (bytes: Uint8Array): Promise<PdfDocument> => {
  try {
    return await getDocumentProxy(bytes, {
      useSystemFonts: false,
      disableFontFace: true,
      verbosity: 0,
      maxImageSize: 0,
    });
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

/** The lines and tables of each page, and the pages whose lines were recognized. */
interface MergedPages {
  readonly blocks: readonly (readonly PageBlock[])[];
  readonly recognized: readonly RecognizedPage[];
}

/** Takes the text layer of each page, or the recognized lines if they are better. */
const withRecognized = (own: readonly (readonly PageBlock[])[], recognized: readonly RecognizedPage[]): MergedPages => {
  const used = recognized.filter(({ page, lines, confidence }) => {
    const ownChars = charsOf(linesOfBlocks(own[page - 1] ?? []));
    return ownChars === 0 || (confidence >= trustedConfidence && charsOf(lines) > ownChars);
  });
  const scaled = toOneScale(
    used.map(({ lines, rules }) => findRecognizedBlocks(lines, rules)),
    own.filter((_blocks, index) => !used.some(({ page }) => page === index + 1)),
  );
  const found = new Map(used.map(({ page }, index) => [page, scaled[index]]));
  return { blocks: own.map((blocks, index) => found.get(index + 1) ?? blocks), recognized: used };
};

/**
 * Reading all operations of a page takes memory. Beyond this size of the file per page, its pages are
 * scans or drawings, in which lines do not separate cells.
 */
const maxBytesPerPage = 1024 * 1024;

interface ReadPage {
  readonly blocks: readonly PageBlock[];
  readonly extras: readonly string[];
  readonly view: PageView;
  readonly boxes: readonly Box[];
}

/** Reading the lines drawn on a page takes longer than reading its text, so most pages are read without. */
const blocksOf = async (page: PdfPage, lines: readonly Line[], hasRules: boolean): Promise<readonly PageBlock[]> =>
  mayHaveTables(lines) ? findBlocks(lines, hasRules ? await readRules(page) : undefined) : lines;

/**
 * Parses a PDF: lines joined into paragraphs, larger type as headings, and tables. Notes and form values follow
 * their page. Pages without text are recognized first.
 */
export const parsePdf: FormatParser = async ({ bytes, limits, ocr, depth }) => {
  const sizeBytes = bytes.length;
  const isFirstPass = ocr !== undefined && ocr.recognized === undefined;
  // PDF.js takes the whole buffer away from this thread, which can contain the other files of an archive.
  const pdf = await openPdf(isFirstPass || depth > 0 ? new Uint8Array(bytes) : bytes);
  try {
    const pages: ReadPage[] = [];
    const hasRules = sizeBytes <= maxBytesPerPage * pdf.numPages;
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const view: PageView = page.getViewport({ scale: 1 });
      // The text of a file in an archive is part of another document.
      const boxes = depth > 0 ? undefined : new WordBoxes(view);
      const lines = readLines(await page.getTextContent({ includeMarkedContent: false }), boxes);
      pages.push({
        blocks: await blocksOf(page, lines, hasRules),
        extras: await pageExtras(page),
        view,
        boxes: boxes?.boxes ?? [],
      });
      page.cleanup();
    }
    const ownBlocks = pages.map((page) => page.blocks);
    if (isFirstPass) {
      const missing = await pagesToRecognize(bytes, ownBlocks.map(linesOfBlocks));
      if (missing.length > 0) throw new OcrNeeded(missing);
    }
    const merged = withRecognized(ownBlocks, ocr?.recognized ?? []);
    const pageBlocks = dropRepeated(merged.blocks);
    const writer = new DocumentWriter(limits.maxTextChars);
    const text = new PageTextWriter(writer, pageBlocks);
    const recognizedBy = new Map(merged.recognized.map((page) => [page.page, page]));
    const toKeep: PageToKeep[] = [];
    for (const [index, { extras, view, boxes }] of pages.entries()) {
      writer.startPage();
      const found = text.write(pageBlocks[index] ?? []);
      const recognized = recognizedBy.get(index + 1);
      const { width, height } = view;
      toKeep.push({ width, height, found, boxes: recognized ? recognizedBoxes(recognized) : boxes });
      for (const extra of extras) writer.paragraph(extra);
    }
    if (writer.isEmpty) {
      const advice =
        ocr === undefined
          ? 'If it is a scan, run text recognition (OCR) on it and upload the result.'
          : 'Text recognition found no words in its pictures.';
      throw new ParseError('no_text', `This PDF contains no text: its pages are empty or images. ${advice}`);
    }
    const { title, metadata } = await pdfMetadata(pdf);
    const written = writer.finish();
    return {
      ...written,
      pageWords: depth > 0 ? [] : collectWords(written, toKeep),
      title: title ?? text.firstHeading,
      metadata: { ...metadata, pages: pages.length },
      recognized: merged.recognized,
    };
  } finally {
    await pdf.loadingTask.destroy();
  }
};
