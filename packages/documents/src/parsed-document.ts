/** What a file says about itself. Only `mimeType` is always known; dates are ISO 8601. */
export interface DocumentMetadata {
  readonly mimeType: string;
  readonly author?: string;
  /** Pages of a PDF, slides of a presentation, sheets of a workbook. */
  readonly pages?: number;
  /** A BCP 47 tag as the file declares it; never guessed. */
  readonly language?: string;
  readonly createdAt?: string;
  readonly modifiedAt?: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  /** The charset a text file was read in, a lower-case WHATWG label. */
  readonly charset?: string;
  /** Names of a message's attachments. */
  readonly attachments?: readonly string[];
}

/** A file as text in the normal form (see document-writer.ts). */
export interface ParsedDocument {
  readonly text: string;
  readonly title?: string;
  readonly metadata: DocumentMetadata;
  /** UTF-16 offset into `text` at which each page begins; absent for formats without pages. */
  readonly pageOffsets?: readonly number[];
}

/** What a format's parser gives back; the type is added by the caller. */
export interface ParsedContent {
  readonly text: string;
  readonly title?: string | undefined;
  readonly metadata?: { readonly [K in keyof DocumentMetadata]?: DocumentMetadata[K] | undefined } | undefined;
  readonly pageOffsets?: readonly number[] | undefined;
}

/** Bounds on what one file may expand to. */
export interface ParseLimits {
  /** Longest text, in UTF-16 units. */
  readonly maxTextChars: number;
  /** Most bytes that may come out of a file's compressed parts, all together. */
  readonly maxInflatedBytes: number;
}

/** One file as a format's parser sees it. */
export interface ParseSource {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  readonly mimeType: string;
  readonly limits: ParseLimits;
  /** How many files this one is nested in: 0 for the file itself, 1 for a message's attachment. */
  readonly depth: number;
}

/** A format's parser: throws a ParseError for what it understands, anything else counts as a corrupt file. */
export type FormatParser = (source: ParseSource) => Promise<ParsedContent>;
