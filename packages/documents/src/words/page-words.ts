/** The edges of a word on its page, from the upper left corner, in `boxUnits`: left, top, right, bottom. */
export type Box = readonly [number, number, number, number];

/** The width and the height of a page in the units of boxes. */
export const boxUnits = 10_000;

/** A word of a document's text and its place on a page. */
export interface PlacedWord {
  /** UTF-16 offsets of the word in the document's text. */
  readonly start: number;
  readonly end: number;
  readonly box: Box;
}

/** The words of a page, as they are stored. */
export interface PageWords {
  /** The number of the page, starting at 1. */
  readonly page: number;
  /** In points (1/72 inch) for a PDF, in pixels for an image. */
  readonly width: number;
  readonly height: number;
  /** UTF-16 offsets of the page's text in the document's text. */
  readonly start: number;
  readonly end: number;
  /** The words and their boxes; see encode-words.ts. */
  readonly words: Uint8Array;
}

/** The most pages of a document whose words are kept. */
export const maxPagesWithWords = 5_000;
/** The most words whose boxes are kept of a document with a text layer: about 600 full pages. */
export const maxWordsPerDocument = 300_000;
/** The maximum number of bytes of all encoded words of a document. */
export const maxWordBytes = 4 * 1024 * 1024;
