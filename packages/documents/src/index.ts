export { type Chunk, type ChunkOptions, chunkText } from '#chunk/chunk-text';
export { detectMimeType } from '#detect/detect-mime-type';
export { ParseError, type ParseErrorCode, ParserPoolError, parseErrorCodes } from '#parse-error';
export type { DocumentMetadata, ParsedDocument } from '#parsed-document';
export { createParserPool, type ParseInput, type ParserPool } from '#pool/parser-pool';
export type { ParserPoolOptions } from '#pool/pool-limits';
