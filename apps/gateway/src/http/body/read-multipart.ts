import { PassThrough, type Readable } from 'node:stream';
import { fields } from '@lectern/api-spec';
import { AppError, invalidRequest } from '@lectern/service-kit';
import busboy from 'busboy';
import type { Config } from '#config';
import { requireMediaType } from '#http/body/media-type';
import type { BodySource } from '#http/body/request-body';
import { filePart, metadataPart, type UploadPart } from '#http/body/upload-part';

/** An upload that is read while its parts are consumed. A slow consumer slows the client down. */
export interface Upload {
  readonly parts: AsyncIterable<UploadPart>;
  /** Stops reading. Call it when no more parts are needed. */
  close(): void;
}

type RawPart =
  | { readonly kind: 'file'; readonly head: UploadPart; readonly bytes: Readable }
  | { readonly kind: 'field'; readonly part: UploadPart };

function tooLarge(limitBytes: number): AppError {
  return new AppError('payload_too_large', `A file is too large. It can have at most ${limitBytes} bytes.`, {
    details: { field: 'files', limitBytes },
  });
}

function tooMany(maxFiles: number): AppError {
  return new AppError('payload_too_large', `The upload has too many files. It can have at most ${maxFiles} files.`, {
    details: { field: 'files', maxFiles },
  });
}

const malformed = () => invalidRequest([{ path: 'body', message: 'must be complete multipart/form-data' }]);

function createParser(request: BodySource, config: Config): busboy.Busboy {
  requireMediaType(request, 'multipart/form-data');
  const limits = {
    fieldSize: fields.MAX_METADATA_BYTES,
    fields: 2,
    files: config.MAX_FILES_PER_UPLOAD,
    // busboy reports a file of exactly this size as truncated.
    fileSize: config.MAX_FILE_BYTES + 1,
  };
  try {
    return busboy({ headers: request.headers, limits, preservePath: true, defParamCharset: 'utf8' });
  } catch {
    throw malformed();
  }
}

/**
 * Queues the events of the parser. The queue holds at most what one chunk of the request contains.
 */
function partsOf(parser: busboy.Busboy, source: BodySource, config: Config): PassThrough {
  const queue = new PassThrough({ objectMode: true });
  // The reader of the parts handles errors.
  queue.on('error', () => undefined);
  const fail = (error: AppError) => queue.destroy(error);
  const guarded = (make: () => RawPart) => {
    try {
      queue.write(make());
    } catch (error) {
      fail(error instanceof AppError ? error : malformed());
    }
  };
  let metadata = false;
  parser.on('file', (field, bytes, { filename, mimeType }) => {
    // The queue reports a file that fails before it is read.
    bytes.on('error', () => undefined);
    bytes.once('limit', () => bytes.destroy(tooLarge(config.MAX_FILE_BYTES)));
    guarded(() => ({ kind: 'file', head: filePart(field, filename, mimeType), bytes }));
  });
  parser.on('field', (field, text, { valueTruncated }) => {
    guarded(() => {
      const part = metadataPart(field, text, valueTruncated);
      if (metadata) throw invalidRequest([{ path: 'metadata', message: 'must be sent once' }]);
      metadata = true;
      return { kind: 'field', part };
    });
  });
  parser.once('filesLimit', () => fail(tooMany(config.MAX_FILES_PER_UPLOAD)));
  parser.on('error', () => fail(malformed()));
  parser.once('finish', () => queue.end());
  source.bytes.once('close', () => source.isComplete() || fail(new AppError('cancelled', 'The client disconnected.')));
  source.bytes.on('error', () => fail(malformed()));
  return queue;
}

async function* flatten(queue: AsyncIterable<RawPart>): AsyncGenerator<UploadPart> {
  let files = 0;
  for await (const raw of queue) {
    if (raw.kind === 'field') {
      yield raw.part;
      continue;
    }
    files += 1;
    yield raw.head;
    try {
      for await (const bytes of raw.bytes) yield { kind: 'bytes', bytes };
    } catch (error) {
      throw error instanceof AppError ? error : malformed();
    }
  }
  if (files === 0) throw invalidRequest([{ path: 'files', message: 'is required: send at least one file' }]);
}

/**
 * Starts to read a `multipart/form-data` body. Throws `unsupported_media_type`, and
 * `invalid_request` without a boundary.
 */
export function readMultipart(source: BodySource, config: Config): Upload {
  const parser = createParser(source, config);
  const queue = partsOf(parser, source, config);
  source.bytes.pipe(parser);
  return {
    parts: flatten(queue),
    close: () => {
      source.bytes.unpipe(parser);
      queue.destroy();
      parser.destroy();
    },
  };
}
