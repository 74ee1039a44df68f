import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { ParseError } from '#parse-error';

const require = createRequire(import.meta.url);

/** Small type needs 300 dpi; a larger page is rendered with fewer. */
const renderDpi = 300;
const maxRenderedPixels = 16_000_000;
const grayFormat = 1;
const renderInGray = 0x08;
const white = 0xffffffff;
/** Gray levels below this are ink. */
const inkLevel = 160;
/** A page with less ink than one letter has no text. */
const minInkPixels = 50;

const imageObject = 3;
const formObject = 5;
/** The most objects of a page that are examined: a map can have a million. */
const maxObjects = 5_000;
/** A picture of at least this share of its page can be a scan below a stamped line of text. */
const scanShare = 0.4;

let loading: Promise<WrappedPdfiumModule> | undefined;

const loadPdfium = async (): Promise<WrappedPdfiumModule> => {
  const pdfium = await init({
    wasmBinary: new Uint8Array(readFileSync(require.resolve('@embedpdf/pdfium/pdfium.wasm'))).buffer,
  });
  pdfium.PDFiumExt_Init();
  return pdfium;
};

/** A page as an image. */
export interface RenderedPage {
  /** A PGM file; undefined for an empty page. */
  readonly image: Uint8Array | undefined;
  readonly dpi: number;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** A PDF, opened to render its pages. PDFium reads scans that PDF.js cannot render without a canvas. */
export class PdfPages implements Disposable {
  readonly #pdfium: WrappedPdfiumModule;
  readonly #bytes: number;
  readonly #document: number;

  private constructor(pdfium: WrappedPdfiumModule, bytes: number, document: number) {
    this.#pdfium = pdfium;
    this.#bytes = bytes;
    this.#document = document;
  }

  static async open(bytes: Uint8Array): Promise<PdfPages> {
    loading ??= loadPdfium();
    const pdfium = await loading;
    const copy = pdfium.pdfium.wasmExports.malloc(bytes.length);
    if (copy === 0)
      throw new ParseError('out_of_memory', 'Reading this PDF needs more memory than allowed. Split it into parts.');
    pdfium.pdfium.HEAPU8.set(bytes, copy);
    const document = pdfium.FPDF_LoadMemDocument(copy, bytes.length, '');
    if (document !== 0) return new PdfPages(pdfium, copy, document);
    pdfium.pdfium.wasmExports.free(copy);
    throw new ParseError(
      'corrupt_file',
      'The pages of this PDF cannot be rendered. Save it again and upload the new copy.',
    );
  }

  /** The number of pages. */
  get count(): number {
    return this.#pdfium.FPDF_GetPageCount(this.#document);
  }

  /**
   * Returns true if a page can show text that is not in its text layer: it has no text but other
   * contents, or little text on a large picture. Letters without Unicode values are no text.
   */
  mayShowText(number: number, hasText: boolean): boolean {
    return this.#withPage(number, (page) => {
      if (!hasText) return this.#pdfium.FPDFPage_CountObjects(page) > 0;
      const area = this.#pdfium.FPDF_GetPageWidthF(page) * this.#pdfium.FPDF_GetPageHeightF(page);
      const count = Math.min(maxObjects, this.#pdfium.FPDFPage_CountObjects(page));
      for (let index = 0; index < count; index++) {
        const object = this.#pdfium.FPDFPage_GetObject(page, index);
        const type = this.#pdfium.FPDFPageObj_GetType(object);
        if ((type === imageObject || type === formObject) && this.#areaOf(object) > area * scanShare) return true;
      }
      return false;
    });
  }

  /** Renders a page in gray, as a PGM file of at most this many pixels. */
  render(number: number, maxPixels = maxRenderedPixels): RenderedPage {
    return this.#withPage(number, (page) => {
      const pdfium = this.#pdfium;
      const [pageWidth, pageHeight] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)];
      if (!(pageWidth > 0 && pageHeight > 0)) return { image: undefined, dpi: renderDpi, width: 0, height: 0 };
      const pixels = Math.min(maxPixels, maxRenderedPixels);
      const scale = Math.min(renderDpi / 72, Math.sqrt(pixels / (pageWidth * pageHeight)));
      const width = Math.max(1, Math.min(maxSide, Math.floor(pageWidth * scale)));
      const height = Math.max(1, Math.min(maxSide, Math.floor(pageHeight * scale)));
      const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, grayFormat, 0, 0);
      if (bitmap === 0) throw new ParseError('out_of_memory', 'A page of this PDF needs more memory than allowed.');
      try {
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, renderInGray);
        return { image: this.#asPgm(bitmap, width, height), dpi: scale * 72, width, height };
      } finally {
        pdfium.FPDFBitmap_Destroy(bitmap);
      }
    });
  }

  [Symbol.dispose](): void {
    this.#pdfium.FPDF_CloseDocument(this.#document);
    this.#pdfium.pdfium.wasmExports.free(this.#bytes);
  }

  #withPage<T>(number: number, use: (page: number) => T): T {
    const page = this.#pdfium.FPDF_LoadPage(this.#document, number - 1);
    if (page === 0) throw new ParseError('corrupt_file', `Page ${number} of this PDF is damaged.`);
    try {
      return use(page);
    } finally {
      this.#pdfium.FPDF_ClosePage(page);
    }
  }

  #areaOf(object: number): number {
    const { wasmExports } = this.#pdfium.pdfium;
    const edges = wasmExports.malloc(16);
    try {
      if (!this.#pdfium.FPDFPageObj_GetBounds(object, edges, edges + 4, edges + 8, edges + 12)) return 0;
      const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(this.#pdfium.pdfium.HEAPU8.buffer, edges, 4);
      return Math.abs(right - left) * Math.abs(top - bottom);
    } finally {
      wasmExports.free(edges);
    }
  }

  #asPgm(bitmap: number, width: number, height: number): Uint8Array | undefined {
    const buffer = this.#pdfium.FPDFBitmap_GetBuffer(bitmap);
    const stride = this.#pdfium.FPDFBitmap_GetStride(bitmap);
    const header = Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1');
    const image = new Uint8Array(header.length + width * height);
    image.set(header);
    const heap = this.#pdfium.pdfium.HEAPU8;
    let ink = 0;
    for (let y = 0; y < height; y++) {
      const row = heap.subarray(buffer + y * stride, buffer + y * stride + width);
      image.set(row, header.length + y * width);
      for (const level of row) if (level < inkLevel) ink++;
    }
    return ink < minInkPixels ? undefined : image;
  }
}

/** Tesseract's limit on the width and height of an image. */
const maxSide = 32_000;
