import { z } from 'zod';
import { freeObject, webAddress } from '#http/fields';

/** Metadata stands beside every passage of its document in the vector store, so it must stay small. */
export const MAX_METADATA_BYTES = 64 * 1024;

const MAX_AUTHOR = 1_000;

const isSmall = (value: object): boolean => Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES;

/** What a caller says of a document: anything, and three names that answers show and so have a type. */
export const documentMetadata = freeObject
  .refine(isSmall, `must have at most ${MAX_METADATA_BYTES} bytes as JSON`)
  .pipe(
    z.looseObject({
      author: z.string().max(MAX_AUTHOR).optional(),
      url: webAddress.optional(),
      pages: z.int().min(0).optional(),
    }),
  );
