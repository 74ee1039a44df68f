/** The parts of Tesseract's WebAssembly build that Lectern uses. The package has no types of its own. */
declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  interface TessBaseApi {
    /** Returns 0 on success. `engineMode` 1 is the LSTM engine. */
    Init(dataFolder: string, languages: string, engineMode: number): number;
    /** Reads the image at `/input`. Returns 1 if it cannot be decoded. */
    SetImageFile(exifOrientation: number, angle: number): number;
    FindLines(): number;
    /** The slope of the text lines, in radians. */
    GetGradient(): number;
    GetSourceYResolution(): number;
    Recognize(monitor: null): number;
    GetTSVText(page: number): string;
    /** Returns the image in black and white. The caller destroys it. */
    GetThresholdedImage(): Pix;
    /** Writes `/image.png`. Type 0 is the image as it was read. */
    WriteImage(type: number): void;
    Clear(): void;
  }

  /** An image of Leptonica. */
  interface Pix {
    get_w(): number;
    get_h(): number;
    /** Bits per pixel. */
    get_d(): number;
    /** 32-bit words per row. */
    get_wpl(): number;
    /** A pointer to its words. */
    get_data(): number;
  }

  interface TesseractCore {
    readonly TessBaseAPI: new () => TessBaseApi;
    readonly FS: {
      writeFile(path: string, bytes: Uint8Array): void;
      readFile(path: string): Uint8Array;
      unlink(path: string): void;
    };
    setValue(pointer: number, value: number, type: 'i32'): void;
    getValue(pointer: number, type: 'i32'): number;
    _malloc(sizeBytes: number): number;
    _free(pointer: number): void;
    getPointer(object: Pix): number;
    /** Takes a pointer to the pointer to an image. */
    _pixDestroy(pointer: number): void;
    /** Leptonica: returns 0 and writes the properties of an image, without decoding it. */
    _pixReadHeaderMem(
      bytes: number,
      sizeBytes: number,
      format: number,
      width: number,
      height: number,
      bitsPerSample: number,
      samplesPerPixel: number,
      hasColormap: number,
    ): number;
  }

  interface CoreOptions {
    readonly wasmBinary: Uint8Array;
    readonly print: () => void;
    readonly printErr: () => void;
    readonly TesseractProgress: () => void;
  }

  const createCore: (options: CoreOptions) => Promise<TesseractCore>;

  export type { TessBaseApi, TesseractCore };
  export default createCore;
}
