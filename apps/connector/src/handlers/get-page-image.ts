import { basename } from 'node:path/posix';
import { BlobNotFoundError } from '@lectern/connectors';
import type { GetPageImageRequest, PageImage } from '@lectern/contracts';
import { ParseError, ParserPoolError } from '@lectern/documents';
import { AppError, invalidRequest, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { spoolContent, withSpoolFolder } from '#sync/worker/spool';

const noImage = (reason: string) => new AppError('not_found', `The page has no image: ${reason}`);

/** Translates the errors of the parser and of the stored files. */
function toAppError(error: unknown): unknown {
  if (error instanceof ParserPoolError)
    return new AppError('unavailable', 'Too many files are being read. Retry in a minute.', { cause: error });
  if (error instanceof ParseError) return noImage(error.message);
  if (error instanceof BlobNotFoundError) return noImage('the file was replaced or deleted. Retry in a minute.');
  return error;
}

/**
 * Renders a page of the uploaded file of a document. Only uploaded files are stored: those of other
 * sources stay at the source.
 */
export const getPageImage =
  (ctx: Context) =>
  async ({ documentId, page }: GetPageImageRequest, call: ServiceCall): Promise<PageImage> => {
    if (page < 1) throw invalidRequest([{ path: 'page', message: 'must be 1 or more' }]);
    // The service that owns documents decides whether the caller can read this one.
    await ctx.index.requireReadable(call, documentId);
    const file = await ctx.db.file.findFirst({
      where: { teamId: call.caller.teamId, documentId, removedAt: null, blobKey: { not: null } },
    });
    if (file?.blobKey == null) throw noImage('Lectern stores only the files of connectors of the type upload.');
    const { blobKey, path, mimeType, indexedVersion } = file;
    if (indexedVersion !== blobKey) throw noImage('the file is being indexed. Retry in a minute.');
    try {
      return await withSpoolFolder(async (folder) => {
        const body = await ctx.blobs.open(blobKey, call.signal);
        const limits = { maxBytes: ctx.config.MAX_FILE_BYTES, signal: call.signal };
        const { content } = await spoolContent(
          { body, version: blobKey, fileName: basename(path), metadata: {} },
          folder,
          limits,
        );
        const input = { ...content, fileName: basename(path), mimeType };
        const { png, width, height } = await ctx.parser.renderPage(input, page, { signal: call.signal });
        return { content: Buffer.from(png), width, height };
      });
    } catch (error) {
      throw toAppError(error);
    }
  };
