import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import createCore, { type TessBaseApi, type TesseractCore } from 'tesseract.js-core/tesseract-core-simd-lstm.js';
import { hasGrid } from '#layout/grid-tables';
import type { PageRules } from '#layout/rules';
import { type Bitmap, findImageRules, toPageRules, withoutRules } from '#ocr/image-rules';
import { languageFile, requireLanguages } from '#ocr/languages';
import type { RecognizedPage } from '#ocr/recognized-page';
import { readPage } from '#ocr/tsv';
import { ParseError } from '#parse-error';
import type { RenderedImage } from '#parsed-document';

const require = createRequire(import.meta.url);

const lstmOnly = 1;
/** Lines that slope less than this, in radians (0.3°), are recognized as they are. */
const minAngle = 0.005;
/** A larger angle is not the skew of a scan: its lines were not found. */
const maxAngle = 0.26;
/** The resolution of an image that declares none, or one that only programs for screens write: 70 to 96. */
const defaultDpi = 300;
const minDeclaredDpi = 100;
/** A smaller picture has no legible text; Tesseract rejects the smallest ones. */
const minSide = 16;

/** An image in a format that Leptonica reads: PNG, JPEG, TIFF, WebP or PGM. */
export interface PageImage {
  readonly page: number;
  readonly bytes: Uint8Array;
  readonly maxPixels: number;
  /** How a camera was held: 1 to 8, see the EXIF standard. Default: 1, upright. */
  readonly orientation?: number;
  /** Overrides the resolution that the image declares. */
  readonly dpi?: number;
  /** The size in pixels, if it is known. */
  readonly size?: ImageSize;
}

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Recognizes text in images, one at a time. */
export class OcrEngine {
  readonly #core: TesseractCore;
  readonly #api: TessBaseApi;

  private constructor(core: TesseractCore, api: TessBaseApi) {
    this.#core = core;
    this.#api = api;
  }

  /** Loads the engine and its language data from the installed packages. Nothing is downloaded or written. */
  static async load(languages: readonly string[]): Promise<OcrEngine> {
    requireLanguages(languages);
    const silent = (): void => {};
    const core = await createCore({
      wasmBinary: readFileSync(require.resolve('tesseract.js-core/tesseract-core-simd-lstm.wasm')),
      print: silent,
      printErr: silent,
      TesseractProgress: silent,
    });
    for (const language of languages) {
      const file = languageFile(language);
      if (file !== undefined) core.FS.writeFile(`/${language}.traineddata`, gunzipSync(readFileSync(file)));
    }
    const api = new core.TessBaseAPI();
    if (api.Init('/', languages.join('+'), lstmOnly) !== 0) throw new Error('Tesseract could not load its languages.');
    return new OcrEngine(core, api);
  }

  /** Recognizes the text of an image. Lines that slope are made horizontal first. */
  recognize({ page, bytes, maxPixels, orientation = 1, dpi, size = this.#sizeOf(bytes) }: PageImage): RecognizedPage {
    if (size.width * size.height > maxPixels) throw tooManyPixels(size, maxPixels);
    if (Math.min(size.width, size.height) < minSide) return { page, ...size, confidence: 0, lines: [], words: [] };
    this.#core.FS.writeFile('/input', bytes);
    try {
      let angle = 0;
      this.#setImage(orientation, angle);
      this.#api.FindLines();
      const gradient = this.#api.GetGradient();
      if (Math.abs(gradient) > minAngle && Math.abs(gradient) < maxAngle) {
        angle = gradient;
        this.#setImage(orientation, angle);
      }
      const resolution = dpi ?? this.#resolution();
      const rules = this.#removeGrid(resolution);
      this.#api.Recognize(null);
      const isTurned = orientation > 4;
      return {
        ...readPage(page, this.#api.GetTSVText(0), {
          width: isTurned ? size.height : size.width,
          height: isTurned ? size.width : size.height,
          pointsPerPixel: 72 / resolution,
          angle,
        }),
        ...(rules === undefined ? {} : { rules }),
      };
    } finally {
      this.#api.Clear();
      this.#core.FS.unlink('/input');
    }
  }

  /** Converts an image to a PNG, upright. */
  toPng({ bytes, maxPixels, orientation = 1 }: PageImage): RenderedImage {
    const size = this.#sizeOf(bytes);
    if (size.width * size.height > maxPixels) throw tooManyPixels(size, maxPixels);
    const isTurned = orientation > 4;
    this.#core.FS.writeFile('/input', bytes);
    try {
      this.#setImage(orientation, 0);
      this.#api.WriteImage(0);
      return {
        png: this.#core.FS.readFile('/image.png'),
        width: isTurned ? size.height : size.width,
        height: isTurned ? size.width : size.height,
      };
    } finally {
      this.#api.Clear();
      this.#core.FS.unlink('/input');
    }
  }

  /**
   * Finds the lines of the image, which must be horizontal. If they are the grid of a table, replaces the
   * image by one without them: Tesseract reads no text between vertical lines.
   */
  #removeGrid(dpi: number): PageRules | undefined {
    const bitmap = this.#bitmap();
    if (bitmap === undefined) return undefined;
    const found = findImageRules(bitmap, dpi);
    const rules = toPageRules(found, bitmap.height, 72 / dpi);
    if (rules === undefined || rules.horizontal.length + rules.vertical.length === 0) return undefined;
    if (hasGrid(rules)) {
      this.#core.FS.writeFile('/input', withoutRules(bitmap, found));
      this.#setImage(1, 0);
    }
    return rules;
  }

  /** Returns the image in black and white. */
  #bitmap(): Bitmap | undefined {
    const core = this.#core;
    const image = this.#api.GetThresholdedImage();
    if (core.getPointer(image) === 0) return undefined;
    const pointer = core._malloc(4);
    if (pointer === 0) throw outOfMemory();
    try {
      const [width, height, wordsPerRow, data] = [image.get_w(), image.get_h(), image.get_wpl(), image.get_data()];
      if (image.get_d() !== 1 || data === 0) return undefined;
      const words = new Int32Array(wordsPerRow * height);
      for (let index = 0; index < words.length; index++) words[index] = core.getValue(data + index * 4, 'i32');
      return { width, height, wordsPerRow, words };
    } finally {
      core.setValue(pointer, core.getPointer(image), 'i32');
      core._pixDestroy(pointer);
      core._free(pointer);
    }
  }

  #resolution(): number {
    const declared = this.#api.GetSourceYResolution();
    return declared >= minDeclaredDpi ? declared : defaultDpi;
  }

  #setImage(orientation: number, angle: number): void {
    if (this.#api.SetImageFile(orientation, angle) !== 0) throw unreadableImage();
  }

  /** Reads the size from the header: decoding an image first could take all memory. */
  #sizeOf(bytes: Uint8Array): ImageSize {
    const core = this.#core;
    const whole = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
    whole.set(bytes);
    const input = core._malloc(whole.length);
    const output = core._malloc(headerFields * 4);
    const at = (field: number): number => output + field * 4;
    try {
      if (input === 0 || output === 0) throw outOfMemory();
      // The module does not export its memory.
      const values = new Int32Array(whole.buffer);
      for (let index = 0; index < values.length; index++) core.setValue(input + index * 4, values[index] ?? 0, 'i32');
      const failed = core._pixReadHeaderMem(input, bytes.length, at(0), at(1), at(2), at(3), at(4), at(5));
      if (failed !== 0) throw unreadableImage();
      return { width: core.getValue(at(1), 'i32'), height: core.getValue(at(2), 'i32') };
    } finally {
      core._free(input);
      core._free(output);
    }
  }
}

/** Format, width, height, bits per sample, samples per pixel, and whether there is a colormap. */
const headerFields = 6;

const unreadableImage = (): ParseError =>
  new ParseError(
    'corrupt_file',
    'This image cannot be decoded: it is damaged, or only part of it was uploaded. Save it again and upload the new copy.',
  );

const outOfMemory = (): ParseError =>
  new ParseError('out_of_memory', 'Reading this image needs more memory than allowed. Save it at a lower resolution.');

const tooManyPixels = (size: ImageSize, maxPixels: number): ParseError =>
  new ParseError(
    'too_large',
    `This image has ${size.width} × ${size.height} pixels; the limit is ${Math.floor(maxPixels / 1e6)} megapixels. Save it at a lower resolution and upload the new copy.`,
  );
