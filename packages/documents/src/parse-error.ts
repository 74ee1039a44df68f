/** Every way in which one file can fail, with what it says about the file. */
export const parseErrorCodes = [
  'unsupported_format',
  'corrupt_file',
  'encrypted',
  'no_text',
  'too_large',
  'timeout',
  'out_of_memory',
  'parser_crashed',
] as const;

/** One of {@link parseErrorCodes}. */
export type ParseErrorCode = (typeof parseErrorCodes)[number];

/**
 * The failure of one file. Its message is written for the person who uploaded the file: it names what is wrong and,
 * where there is a way out, what to do. It never carries a stack, a path or a library's own wording.
 */
export class ParseError extends Error {
  override readonly name = 'ParseError';
  readonly code: ParseErrorCode;

  constructor(code: ParseErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The pool itself cannot take the file: it is closed, or its queue is full. Says nothing about the file. */
export class ParserPoolError extends Error {
  override readonly name = 'ParserPoolError';
  readonly code: 'closed' | 'queue_full';

  constructor(code: 'closed' | 'queue_full', message: string) {
    super(message);
    this.code = code;
  }
}
