/** The reasons why parsing a file can fail. */
export const parseErrorCodes = [
  'unsupported_format',
  'corrupt_file',
  'encrypted',
  'no_text',
  'too_large',
  'no_page',
  'timeout',
  'out_of_memory',
  'parser_crashed',
] as const;

/** One of {@link parseErrorCodes}. */
export type ParseErrorCode = (typeof parseErrorCodes)[number];

/**
 * The failure of one file. The message is for the person who uploaded it: what is wrong and what to
 * do. It never contains a stack trace, a path or the wording of a library.
 */
export class ParseError extends Error {
  override readonly name = 'ParseError';
  readonly code: ParseErrorCode;

  constructor(code: ParseErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A parser needs the recognized text of these pages to continue: they are images. */
export class OcrNeeded extends Error {
  override readonly name = 'OcrNeeded';
  /** Numbers of pages, starting at 1. */
  readonly pages: readonly number[];

  constructor(pages: readonly number[]) {
    super('The file has pages without text.');
    this.pages = pages;
  }
}

/**
 * The pool cannot accept a file because it is closed or its queue is full. The file itself can be
 * fine.
 */
export class ParserPoolError extends Error {
  override readonly name = 'ParserPoolError';
  readonly code: 'closed' | 'queue_full';

  constructor(code: 'closed' | 'queue_full', message: string) {
    super(message);
    this.code = code;
  }
}
