import { detectFileType } from '#detect/detect-file-type';
import { asParseError } from '#formats/parse-failure';
import { OcrEngine } from '#ocr/engine';
import { grayPng } from '#ocr/gray-png';
import { countImagePages, imagePage, jpegOrientation } from '#ocr/image-pages';
import { PdfPages } from '#ocr/pdf-pages';
import { ParseError } from '#parse-error';
import type { RenderedImage } from '#parsed-document';

/** A page of a file to show as an image. */
export interface PageToRender {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  readonly mimeType?: string | undefined;
  /** The number of the page, starting at 1. */
  readonly page: number;
  /** The most pixels of an image file. */
  readonly maxPixels: number;
}

/** About an A4 page at 150 dpi: legible on a screen. */
const maxPdfPixels = 2_500_000;
const white = 0xff;
/** The largest image that is sent to a client. */
const maxPngBytes = 16 * 1024 * 1024;

const noSuchPage = (page: number, count: number): ParseError =>
  new ParseError('no_page', `This file has no page ${page}. It has ${count} ${count === 1 ? 'page' : 'pages'}.`);

const renderPdf = async ({ bytes, page }: PageToRender): Promise<RenderedImage> => {
  using pdf = await PdfPages.open(bytes);
  if (page > pdf.count) throw noSuchPage(page, pdf.count);
  const { image, width, height } = pdf.render(page, maxPdfPixels);
  if (width === 0 || height === 0) throw new ParseError('corrupt_file', `Page ${page} of this PDF has no size.`);
  // The pixels are at the end of a PGM file.
  const levels = image?.subarray(image.length - width * height) ?? new Uint8Array(width * height).fill(white);
  return { png: grayPng(width, height, levels), width, height };
};

/** Images are decoded, not recognized, so any language does. */
let decoding: Promise<OcrEngine> | undefined;

const renderImage = async ({ bytes, page, maxPixels }: PageToRender): Promise<RenderedImage> => {
  const count = countImagePages(bytes);
  if (page > count) throw noSuchPage(page, count);
  decoding ??= OcrEngine.load(['eng']);
  const engine = await decoding;
  return engine.toPng({ page, bytes: imagePage(bytes, page), maxPixels, orientation: jpegOrientation(bytes) });
};

/** Renders one page of a PDF or image in this process. Every failure becomes a ParseError. */
export const renderPage = async (task: PageToRender): Promise<RenderedImage> => {
  const type = detectFileType(task.bytes, task.fileName, task.mimeType);
  if (type.format !== 'pdf' && type.format !== 'image')
    throw new ParseError('no_page', `This file (${type.name}) has no pages that can be shown as images.`);
  try {
    const image = await (type.format === 'pdf' ? renderPdf(task) : renderImage(task));
    if (image.png.length <= maxPngBytes) return image;
  } catch (error) {
    throw asParseError(error, type);
  }
  throw new ParseError('too_large', 'The image of this page is too large to be shown.');
};
