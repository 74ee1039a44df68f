export { type Chunk, type ChunkOptions, chunkText } from '#chunk/chunk-text';
export { detectMimeType } from '#detect/detect-mime-type';
export { ParseError, type ParseErrorCode, ParserPoolError, parseErrorCodes } from '#parse-error';
export type { DocumentMetadata, ParsedDocument, Recognition, RecognizedPageSummary } from '#parsed-document';
export type { ParseInput } from '#pool/child-lane';
export { createParserPool, type ParseOptions, type ParserPool } from '#pool/parser-pool';
export type { ParserPoolOptions } from '#pool/pool-limits';
export { decodeWords, encodeWords } from '#words/encode-words';
export { boxUnits, maxPagesWithWords, maxWordBytes, type PageWords, type PlacedWord } from '#words/page-words';
