import type { RecognizedPage, WordBox } from '#ocr/recognized-page';
import type { PageWords } from '#words/page-words';

/** The metadata of a file. Only `mimeType` is always present; dates are ISO 8601. */
export interface DocumentMetadata {
  readonly mimeType: string;
  readonly author?: string;
  /** Pages of a PDF, slides of a presentation, sheets of a workbook. */
  readonly pages?: number;
  /** The BCP 47 tag that the file declares; never guessed. */
  readonly language?: string;
  readonly createdAt?: string;
  readonly modifiedAt?: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  /** The charset of a text file, as a lower-case WHATWG label. */
  readonly charset?: string;
  /** Names of a message's attachments. */
  readonly attachments?: readonly string[];
}

/** How well the text of a page was recognized in its image. */
export interface RecognizedPageSummary {
  /** The number of the page, starting at 1. */
  readonly page: number;
  /** The mean confidence of the page's words, 0 to 100; 0 for a page without words. */
  readonly confidence: number;
  /** The words and their places on the page, in reading order. */
  readonly words: readonly WordBox[];
}

/** What text recognition (OCR) contributed to a document. */
export interface Recognition {
  /** The mean confidence of all recognized words, 0 to 100. */
  readonly confidence: number;
  readonly pages: readonly RecognizedPageSummary[];
  /** Pages that were not recognized: over the limit on pages, damaged, or too slow. */
  readonly unreadPages: readonly number[];
}

/** The text of a file in the normal form (see document-writer.ts). */
export interface ParsedDocument {
  readonly text: string;
  readonly title?: string;
  readonly metadata: DocumentMetadata;
  /** UTF-16 offset into `text` at which each page begins; absent for formats without pages. */
  readonly pageOffsets?: readonly number[];
  /** The words of the pages of a PDF or image, with their places. Pages without words are left out. */
  readonly pageWords?: readonly PageWords[];
  /** Present if pages of the file are images. */
  readonly recognition?: Recognition;
}

/** A page as a PNG. */
export interface RenderedImage {
  readonly png: Uint8Array;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** What a format's parser returns; the caller adds the MIME type. */
export interface ParsedContent {
  readonly text: string;
  readonly title?: string | undefined;
  readonly metadata?: { readonly [K in keyof DocumentMetadata]?: DocumentMetadata[K] | undefined } | undefined;
  readonly pageOffsets?: readonly number[] | undefined;
  readonly pageWords?: readonly PageWords[] | undefined;
  /** The pages whose text comes from images. */
  readonly recognized?: readonly RecognizedPage[] | undefined;
}

/** Limits on the expanded size of one file. */
export interface ParseLimits {
  /** The longest text, in UTF-16 units. */
  readonly maxTextChars: number;
  /** The maximum number of bytes that all compressed parts of a file can expand to. */
  readonly maxInflatedBytes: number;
}

/** The state of text recognition for a file. */
export interface OcrState {
  /** The recognized pages; undefined before the parser has asked for pages with OcrNeeded. */
  readonly recognized: readonly RecognizedPage[] | undefined;
  readonly unreadPages: readonly number[];
}

/** A file inside another file. */
export interface NestedFile {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  /** The type that the containing file declares; a hint. */
  readonly mimeType: string;
}

/** The input of a format's parser. */
export interface ParseSource {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  readonly mimeType: string;
  /** The parameters of the type that the source declares, for example `charset`; hints. */
  readonly parameters?: Readonly<Partial<Record<string, string>>>;
  readonly limits: ParseLimits;
  /** Undefined if text recognition is off, and for files inside other files. */
  readonly ocr: OcrState | undefined;
  /**
   * The number of files that contain this one: 0 for the file itself, 1 for a message's attachment.
   */
  readonly depth: number;
  /** Parses a file that this one contains, with the same limits. Throws ParseError. */
  readonly parseNested: (file: NestedFile) => Promise<ParsedDocument>;
}

/** Throws ParseError for known problems; any other error counts as a corrupt file. */
export type FormatParser = (source: ParseSource) => Promise<ParsedContent>;
