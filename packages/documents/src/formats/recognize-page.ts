import { detectFileType } from '#detect/detect-file-type';
import { asParseError } from '#formats/parse-failure';
import { OcrEngine } from '#ocr/engine';
import { imagePage, jpegOrientation } from '#ocr/image-pages';
import { PdfPages } from '#ocr/pdf-pages';
import type { RecognizedPage } from '#ocr/recognized-page';

/** A page of a file whose text is to be recognized. */
export interface PageToRecognize {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  readonly mimeType?: string | undefined;
  /** The number of the page, starting at 1. */
  readonly page: number;
  readonly languages: readonly string[];
  /** The most pixels of an image. */
  readonly maxPixels: number;
}

const engines = new Map<string, Promise<OcrEngine>>();

const engineFor = (languages: readonly string[]): Promise<OcrEngine> => {
  const key = languages.join('+');
  const engine = engines.get(key) ?? OcrEngine.load(languages);
  engines.set(key, engine);
  return engine;
};

const recognizePdfPage = async ({ bytes, page, maxPixels, languages }: PageToRecognize): Promise<RecognizedPage> => {
  using pdf = await PdfPages.open(bytes);
  const { image, dpi, width, height } = pdf.render(page, maxPixels);
  if (image === undefined) return { page, width, height, confidence: 0, lines: [], words: [] };
  return (await engineFor(languages)).recognize({ page, bytes: image, maxPixels, dpi, size: { width, height } });
};

const recognizeImage = async ({ bytes, page, maxPixels, languages }: PageToRecognize): Promise<RecognizedPage> => {
  const engine = await engineFor(languages);
  return engine.recognize({ page, bytes: imagePage(bytes, page), maxPixels, orientation: jpegOrientation(bytes) });
};

/** Recognizes the text of one page of a PDF or image in this process. Every failure becomes a ParseError. */
export const recognizePage = async (task: PageToRecognize): Promise<RecognizedPage> => {
  const type = detectFileType(task.bytes, task.fileName, task.mimeType);
  try {
    return await (type.format === 'pdf' ? recognizePdfPage(task) : recognizeImage(task));
  } catch (error) {
    throw asParseError(error, type);
  }
};
